#include "abut/reproduce/all.h"

#include <array>

namespace abut::reproduce {
namespace {

constexpr const char* dX0[] = {"D-T0"};
constexpr const char* dX1[] = {"D-T1", "D-T2", "D-T18"};
constexpr const char* dX2[] = {"D-T3", "D-T4", "D-T5"};
constexpr const char* dX3[] = {"D-T6", "D-T19"};
constexpr const char* dX4[] = {"D-T7", "D-T8", "D-T21"};
constexpr const char* dX5[] = {"D-T9"};
constexpr const char* dX6[] = {"D-T10"};
constexpr const char* dX7[] = {"D-T13"};
constexpr const char* dX8[] = {"D-T20"};
constexpr const char* dX9[] = {"D-T22"};
constexpr const char* pX0[] = {"P-T13"};
constexpr const char* pX1[] = {"P-T1"};
constexpr const char* pX2[] = {"P-T2"};
constexpr const char* pX3[] = {"P-T3"};
constexpr const char* pX4[] = {"P-T4"};
constexpr const char* pX5[] = {"P-T5", "P-T6"};
constexpr const char* pX6[] = {"P-T7"};
constexpr const char* pX7[] = {"P-T8"};
constexpr const char* pX8[] = {"P-T9"};
constexpr const char* pX9[] = {"P-X9"};
constexpr const char* pX10[] = {"P-T14", "P-T15", "P-T16"};
constexpr const char* pT10[] = {"P-T10"};
constexpr const char* pT11[] = {"P-T11"};
constexpr const char* pT12[] = {"P-T12"};
constexpr const char* kX0[] = {"K-T15"};
constexpr const char* kX1[] = {"K-T1"};
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
constexpr const char* hX1[] = {"H-T1", "H-T2", "H-T3"};
constexpr const char* hX2[] = {"H-T4", "H-T4b"};
constexpr const char* hX3[] = {"H-T5"};
constexpr const char* hX4[] = {"H-T6", "H-T9"};
constexpr const char* hX5[] = {"H-T11"};
constexpr const char* hX6[] = {"H-T12"};

constexpr const char* lX1[] = {"L-T1", "L-T2"};
constexpr const char* lX2[] = {"L-T3", "L-T4"};
constexpr const char* lX3[] = {"L-T5", "L-T6"};
constexpr const char* lX4[] = {"L-T7", "L-T8", "L-T9"};
constexpr const char* lX5[] = {"L-T10", "L-T11"};
constexpr const char* lX6[] = {"L-T12", "L-T13", "L-T14"};

constexpr std::array kAll = {
    Experiment{"D-X0", "000", "Figs 1, 3", "a cube that rocks, or lies down", dX0, rocking_cube},
    Experiment{"D-X1", "000", "Figs 7-9", "a block that starts inside the ground", dX1,
               penetrating_block},
    Experiment{"D-X2", "000", "Figs 10-12", "a block pressed at ten random points", dX2,
               pushed_block},
    Experiment{"D-X3", "000", "Fig. 13", "a pile of boxes, cylinders and spheres", dX3, pile},
    Experiment{"D-X4", "000", "Figs 14, 15", "two robots on wheels", dX4, robots},
    Experiment{"D-X5", "000", "Figs 4, 5", "the bottom of a volume", dX5, bottom_of_volume},
    Experiment{"D-X6", "000", "Fig. 6", "the forgetting sum", dX6, forgetting_sum},
    Experiment{"D-X7", "000", "Fig. 2", "phases of a pair", dX7, contact_phases},
    Experiment{"D-X8", "000", "", "three ways to A and b of an LCP", dX8, matrix_of_an_lcp},
    Experiment{"D-X9", "000", "", "the normal by eq. 4", dX9, facet_normal},
    Experiment{"P-X0", "001", "Fig. 2", "features of a polyhedron", pX0, features_of_a_polyhedron},
    Experiment{"P-X1", "001", "Fig. 1", "the Stewart-Trinkle trap", pX1, stewart_trinkle_trap},
    Experiment{"P-X2", "001", "Fig. 3", "edges at the border of applicability", pX2,
               edges_at_the_border},
    Experiment{"P-X3", "001", "Fig. 4", "a vertex near two edges", pX3, which_contacts},
    Experiment{"P-X4", "001", "Figs 5-8", "the constraints that features make", pX4,
               constraint_sets},
    Experiment{"P-X5", "001", "Figs 9, 11", "two triangles, vertex to vertex", pX5, two_triangles},
    Experiment{"P-X6", "001", "Figs 10, 12", "a block falls on a block", pX6, two_blocks},
    Experiment{"P-X7", "001", "", "uniform stacks", pX7, uniform_stacks},
    Experiment{"P-X8", "001", "", "Table 1 as measured properties", pX8, table_of_models},
    Experiment{"P-X9", "001", "", "random solids in large steps", pX9, random_approaches},
    Experiment{"P-X10", "001", "", "the paper's constraints on its own cases", pX10,
               paper_constraints},
    Experiment{"P-T10", "001", "", "unilateral constraints alone", pT10, only_unilateral},
    Experiment{"P-T11", "001", "", "constraints against an oracle", pT11, constraint_oracle},
    Experiment{"P-T12", "001", "", "what a step takes", pT12, cost_of_a_step},
    Experiment{"K-X0", "002", "Fig. 1", "a rigid core in a compliant layer", kX0,
               quasi_rigid_layer},
    Experiment{"K-X1", "002", "Fig. 3", "a box settles, by the deepest point and by volume", kX1,
               embedded_box_settles},
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
    Experiment{"H-X1", "004", "Figs 1, 2, 8, 9", "a slanted cube stops", hX1, slanted_cube_stops},
    Experiment{"H-X2", "004", "Fig. 10", "four piled blocks", hX2, piled_blocks},
    Experiment{"H-X3", "004", "Figs 11, 12", "a hand among blocks and bricks", hX3, haptic_scenes},
    Experiment{"H-X4", "004", "Figs 3-7", "springs over the common part, and friction", hX4,
               spread_springs},
    Experiment{"H-X5", "004", "", "the stiffest wall at a rate", hX5, stiffest_wall},
    Experiment{"H-X6", "004", "", "a hand drags a cube over edges", hX6, cube_over_edges},
    Experiment{"L-X1", "laws", "", "the energy of impacts", lX1, law_of_impacts},
    Experiment{"L-X2", "laws", "", "linear and angular momentum", lX2, law_of_momentum},
    Experiment{"L-X3", "laws", "", "rolling down a slope", lX3, law_of_rolling},
    Experiment{"L-X4", "laws", "", "friction that slides and friction that holds", lX4,
               law_of_friction},
    Experiment{"L-X5", "laws", "", "Newton's cradle", lX5, law_of_cradles},
    Experiment{"L-X6", "laws", "", "elastic balls on a floor", lX6, law_of_elastic},
};

}  // namespace

std::span<const Experiment> all_experiments() { return kAll; }

}  // namespace abut::reproduce
