"""An environment for reinforcement learning, with the interface of gymnasium.

Where gymnasium is installed, Environment is one of its environments, with its spaces. Elsewhere the
signatures are the same, and the spaces have low, high, shape, sample and contains.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _abut
from ._worlds import load

Array = npt.NDArray[np.float64]


class _Box:
    """A box of real numbers."""

    def __init__(self, low: Array, high: Array) -> None:
        self.low, self.high, self.shape = low, high, low.shape
        self._random = np.random.default_rng()

    def seed(self, seed: Optional[int] = None) -> None:
        self._random = np.random.default_rng(seed)

    def sample(self) -> Array:
        bounded = np.isfinite(self.low) & np.isfinite(self.high)
        low, high = np.where(bounded, self.low, -1.0), np.where(bounded, self.high, 1.0)
        return self._random.uniform(low, high)

    def contains(self, x: Array) -> bool:
        return x.shape == self.shape and bool(np.all(x >= self.low) and np.all(x <= self.high))


if TYPE_CHECKING:
    _Base = object
    _gymnasium: Any = None
else:
    try:
        import gymnasium as _gymnasium

        _Base = _gymnasium.Env
    except ImportError:
        _gymnasium = None
        _Base = object


def _space(low: Array, high: Array) -> Any:
    if _gymnasium is None:
        return _Box(low, high)
    return _gymnasium.spaces.Box(low, high, dtype=np.float64)


class Environment(_Base):
    """A world as an environment: actions are controls, observations are q and v unless `observe` says more.

    reward(state, action), observe(state) and ended(state) are functions of yours. An episode is cut off
    after `time` seconds. A run that diverges ends the episode, with info["diverged"].

    >>> env = abut.Environment("arm6", time=0.1, action_steps=5, render_mode="rgb_array")
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    >>> env.render().shape
    (480, 640, 3)
    """

    metadata: Dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 30}

    def __init__(self, model: Union[_abut.Model, str], *, action_steps: int = 1, time: float = 10.0,
                 keyframe: str = "", noise: float = 0.0,
                 reward: Optional[Callable[[_abut.State, Array], float]] = None,
                 observe: Optional[Callable[[_abut.State], Array]] = None,
                 ended: Optional[Callable[[_abut.State], bool]] = None,
                 render_mode: Optional[str] = None, width: int = 640, height: int = 480,
                 **simulator: Any) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode {render_mode}: there are {self.metadata['render_modes']}")
        self.model = load(model) if isinstance(model, str) else model
        self.simulator = _abut.Simulator(self.model, **simulator)
        self.state = self.model.state(keyframe)
        self.render_mode = render_mode
        self._start = self.state.copy()
        self._steps, self._time, self._noise = action_steps, time, noise
        self._reward = reward or (lambda state, action: 0.0)
        self._observe = observe or (lambda state: np.concatenate([state.q, state.v]))
        self._ended = ended or (lambda state: False)
        self._size = (width, height)
        self._random = np.random.default_rng()
        ranges = [self.model.actuator(i) for i in range(self.model.nu)]
        low = np.array([a.ctrl_range[0] if a.ctrl_limited else -np.inf for a in ranges], dtype=np.float64)
        high = np.array([a.ctrl_range[1] if a.ctrl_limited else np.inf for a in ranges], dtype=np.float64)
        self.action_space = _space(low, high)
        shape = self._observe(self.state).shape
        self.observation_space = _space(np.full(shape, -np.inf), np.full(shape, np.inf))

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[Dict[str, Any]] = None) -> Tuple[Array, Dict[str, Any]]:
        """Back to the start, v moved by noise; options may have a State as "state"."""
        if _gymnasium is not None:
            _gymnasium.Env.reset(self, seed=seed)
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.state.copy_from((options or {}).get("state", self._start))
        if self._noise > 0:
            self.state.v[:] += self._noise * self._random.standard_normal(self.model.nv)
        return self._observe(self.state), {}

    def step(self, action: Array) -> Tuple[Array, float, bool, bool, Dict[str, Any]]:
        """Holds the action for action_steps steps."""
        self.state.ctrl = np.asarray(action, dtype=np.float64)
        info: Dict[str, Any] = {}
        try:
            self.simulator.run(self.state, self._steps * self.simulator.model.step)
        except _abut.Diverged as error:
            info["diverged"] = str(error)
        terminated = "diverged" in info or bool(self._ended(self.state))
        truncated = self.state.time - self._start.time >= self._time - 0.5 * self.simulator.model.step
        return (self._observe(self.state), float(self._reward(self.state, action)), terminated, truncated,
                info)

    def render(self) -> Optional[npt.NDArray[np.uint8]]:
        """A picture of the state, height x width x 3, with render_mode="rgb_array"."""
        return _abut.render(self.state, *self._size) if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Nothing is left open."""
