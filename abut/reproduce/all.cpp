#include "abut/reproduce/all.h"

#include <array>

namespace abut::reproduce {
namespace {

constexpr const char* kX2[] = {"K-T2"};
constexpr const char* kX3[] = {"K-T3"};
constexpr const char* kX4[] = {"K-T4"};
constexpr const char* kX5[] = {"K-T5"};
constexpr const char* kX6[] = {"K-T6"};
constexpr const char* kX7[] = {"K-T7", "K-T8"};
constexpr const char* kT9[] = {"K-T9"};
constexpr const char* kT10[] = {"K-T10", "K-T11"};
constexpr const char* kT12[] = {"K-T12", "K-T13", "K-T14"};
constexpr const char* cX1[] = {"C-T1", "C-T2", "C-T3", "C-T4", "C-T5", "C-22"};

constexpr std::array kAll = {
    Experiment{"K-X2", "002", "Fig. 2", "the least translation is not the way in", kX2, thin_plate},
    Experiment{"K-X3", "002", "Fig. 4", "normals that do not lock", kX3, no_locking},
    Experiment{"K-X4", "002", "Fig. 5", "normals from centre to centre", kX4, centre_normal},
    Experiment{"K-X5", "002", "Fig. 6", "several closest pairs of features", kX5, several_closest},
    Experiment{"K-X6", "002", "Fig. 7", "a box on the edge of a prism", kX6, box_on_prism},
    Experiment{"K-X7", "002", "Fig. 8", "forces along an edge, and their torque", kX7,
               edge_subdivision},
    // checks that the paper calls for and shows no experiment of go by their own names
    Experiment{"K-T9", "002", "", "kissing manifolds of cubes", kT9, manifolds},
    Experiment{"K-T10", "002", "", "samples and normals that separate", kT10, separating},
    Experiment{"K-T12", "002", "", "volumes of intersection", kT12, volumes},
    Experiment{"C-X1", "003", "Figs 2-7", "a chain of six links, and how its joints part", cX1,
               chain},
};

}  // namespace

std::span<const Experiment> all_experiments() { return kAll; }

}  // namespace abut::reproduce
