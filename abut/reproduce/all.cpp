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
constexpr const char* cX2[] = {"C-T6"};
constexpr const char* cX3[] = {"C-T7"};
constexpr const char* cX4[] = {"C-T8"};
constexpr const char* cX5[] = {"C-T9"};
constexpr const char* cX6[] = {"C-T10", "C-T11"};
constexpr const char* cT12[] = {"C-T12", "C-T13"};

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
    Experiment{"C-X2", "003", "Fig. 1", "a pendulum that leaves its circle", cX2, pendulum},
    Experiment{"C-X3", "003", "Figs 8, 9", "a rectangle pushed about in a room", cX3,
               pushed_rectangle},
    Experiment{"C-X4", "003", "Fig. 10", "five bodies pushed about in a room", cX4, many_bodies},
    Experiment{"C-X5", "003", "", "large errors, and post-steps that do harm", cX5, large_errors},
    Experiment{"C-X6", "003", "", "redundant contacts", cX6, redundant_contacts},
    Experiment{"C-T12", "003", "", "friction on an incline, and Painleve's rods", cT12, friction},
};

}  // namespace

std::span<const Experiment> all_experiments() { return kAll; }

}  // namespace abut::reproduce
