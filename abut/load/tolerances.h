// Tolerances of the room load. This header includes nothing.
#pragma once

namespace abut {

// Norm of an axis or a quaternion in a file, in the file's numbers. A shorter one has no direction
// and is an error.
// Too large: valid axes are refused. Too small: a direction of noise passes.
inline constexpr double kShortestAxis = 1e-14;

// Numbers above this are errors: the product of a few lengths and masses would overflow.
// Too large: infinities appear later, without the line of the file. Too small: valid files are
// refused.
inline constexpr double kLargestNumber = 1e30;

}  // namespace abut
