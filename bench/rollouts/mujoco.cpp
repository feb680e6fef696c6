// Rollouts of a world in native MuJoCo, for bench/rollouts/compare.py:
//
//   rollouts_mujoco WORLD NUMBERS THREADS
//
// NUMBERS: a file of doubles: runs, steps, nq, nv, nu, then q and v of each run, then the controls of each
// step of each run. Every thread has an mjData of its own and takes the next run that nobody has. Writes
// the seconds that the runs took, and the sum of all q at the end.
#include <mujoco/mujoco.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

namespace {

struct Numbers {
  int runs, steps, nq, nv, nu;
  std::vector<double> all;

  const double* start(int run) const { return &all[5 + static_cast<std::size_t>(run * (nq + nv))]; }
  const double* controls(int run, int step) const {
    return &all[5 + static_cast<std::size_t>(runs * (nq + nv)) +
                static_cast<std::size_t>(run * steps + step) * static_cast<std::size_t>(nu)];
  }
};

Numbers read(const char* file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  Numbers n{};
  n.all.resize(static_cast<std::size_t>(in.tellg()) / sizeof(double));
  in.seekg(0);
  in.read(reinterpret_cast<char*>(n.all.data()),
          static_cast<std::streamsize>(n.all.size() * sizeof(double)));
  int* to[] = {&n.runs, &n.steps, &n.nq, &n.nv, &n.nu};
  for (int i = 0; i < 5; ++i) *to[i] = static_cast<int>(n.all[static_cast<std::size_t>(i)]);
  return n;
}

double roll(const mjModel* model, mjData* data, const Numbers& n, int run) {
  mj_resetData(model, data);
  mju_copy(data->qpos, n.start(run), n.nq);
  mju_copy(data->qvel, n.start(run) + n.nq, n.nv);
  for (int s = 0; s < n.steps; ++s) {
    mju_copy(data->ctrl, n.controls(run, s), n.nu);
    mj_step(model, data);
  }
  return mju_sum(data->qpos, n.nq);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  char error[1000] = "";
  mjModel* model = mj_loadXML(argv[1], nullptr, error, sizeof error);
  if (model == nullptr) {
    std::fprintf(stderr, "%s\n", error);
    return 1;
  }
  const Numbers numbers = read(argv[2]);
  if (numbers.nq != model->nq || numbers.nv != model->nv || numbers.nu != model->nu) return 3;
  std::vector<double> sums(static_cast<std::size_t>(numbers.runs));
  std::vector<std::thread> threads;
  std::atomic<int> next{0};
  const auto start = std::chrono::steady_clock::now();
  for (int t = 0; t < std::atoi(argv[3]); ++t)
    threads.emplace_back([&] {
      mjData* data = mj_makeData(model);
      for (int run = next++; run < numbers.runs; run = next++)
        sums[static_cast<std::size_t>(run)] = roll(model, data, numbers, run);
      mj_deleteData(data);
    });
  for (std::thread& t : threads) t.join();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  double sum = 0;
  for (const double s : sums) sum += s;
  std::printf("{\"version\": \"%s\", \"seconds\": %.6f, \"sum\": %.9g}\n", mj_versionString(),
              took.count(), sum);
  mj_deleteModel(model);
}
