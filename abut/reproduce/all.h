// Every experiment's function, one file each, and the table of them.
#pragma once

#include <span>

#include "abut/reproduce/experiment.h"

namespace abut::reproduce {

std::span<const Experiment> all_experiments();

// Drumwright: penalties at many points
Outcome rocking_cube(const Progress&);       // D-X0
Outcome penetrating_block(const Progress&);  // D-X1
Outcome pushed_block(const Progress&);       // D-X2
Outcome pile(const Progress&);               // D-X3
Outcome robots(const Progress&);             // D-X4
Outcome bottom_of_volume(const Progress&);   // D-X5
Outcome forgetting_sum(const Progress&);     // D-X6
Outcome contact_phases(const Progress&);     // D-X7
Outcome matrix_of_an_lcp(const Progress&);   // D-X8
Outcome facet_normal(const Progress&);       // D-X9

// Williams, Lu and Trinkle: PEG and what it is compared with
Outcome features_of_a_polyhedron(const Progress&);  // P-X0
Outcome stewart_trinkle_trap(const Progress&);      // P-X1
Outcome edges_at_the_border(const Progress&);       // P-X2
Outcome which_contacts(const Progress&);            // P-X3
Outcome constraint_sets(const Progress&);           // P-X4
Outcome two_triangles(const Progress&);             // P-X5
Outcome two_blocks(const Progress&);                // P-X6
Outcome uniform_stacks(const Progress&);            // P-X7
Outcome table_of_models(const Progress&);           // P-X8
Outcome random_approaches(const Progress&);         // P-X9
Outcome paper_constraints(const Progress&);         // P-X10
Outcome only_unilateral(const Progress&);           // P-T10
Outcome constraint_oracle(const Progress&);         // P-T11
Outcome cost_of_a_step(const Progress&);            // P-T12

// Cheng Yi and Drumwright: contact data for convex polyhedra
Outcome quasi_rigid_layer(const Progress&);     // K-X0
Outcome embedded_box_settles(const Progress&);  // K-X1
Outcome thin_plate(const Progress&);            // K-X2
Outcome no_locking(const Progress&);            // K-X3
Outcome centre_normal(const Progress&);         // K-X4
Outcome several_closest(const Progress&);       // K-X5
Outcome box_on_prism(const Progress&);          // K-X6
Outcome edge_subdivision(const Progress&);      // K-X7
Outcome manifolds(const Progress&);             // K-T9
Outcome separating(const Progress&);            // K-T10, K-T11
Outcome volumes(const Progress&);               // K-T12 to K-T14

// Hasegawa and Fujii: volumetric penalty
Outcome slanted_cube_stops(const Progress&);  // H-X1
Outcome piled_blocks(const Progress&);        // H-X2
Outcome haptic_scenes(const Progress&);       // H-X3
Outcome spread_springs(const Progress&);      // H-X4
Outcome stiffest_wall(const Progress&);       // H-X5
Outcome cube_over_edges(const Progress&);     // H-X6

// Cline and Pai: post-stabilisation
Outcome chain(const Progress&);               // C-X1
Outcome pendulum(const Progress&);            // C-X2
Outcome pushed_rectangle(const Progress&);    // C-X3
Outcome many_bodies(const Progress&);         // C-X4
Outcome large_errors(const Progress&);        // C-X5
Outcome redundant_contacts(const Progress&);  // C-X6
Outcome friction(const Progress&);            // C-T12, C-T13

// laws that every model is held to (docs/laws.md)
Outcome law_of_impacts(const Progress&);   // L-X1
Outcome law_of_momentum(const Progress&);  // L-X2
Outcome law_of_rolling(const Progress&);   // L-X3
Outcome law_of_friction(const Progress&);  // L-X4
Outcome law_of_cradles(const Progress&);   // L-X5
Outcome law_of_elastic(const Progress&);   // L-X6

}  // namespace abut::reproduce
