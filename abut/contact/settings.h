// What the user chooses of a contact model (command line, `abut.*` of a world, or C++).
#pragma once

#include <string>
#include <string_view>

#include "abut/model/model.h"

namespace abut {

enum class ContactModel {
  none,
  st,
  ap,
  peg,
  peg_paper,
  lnc,
  baraff,
  deepest,
  volumetric,
  multipoint,
  quasirigid
};
// natural: what the contact model has by itself (friction_of).
enum class FrictionKind {
  natural,
  none,
  cone,
  pyramid,
  slip,
  viscous,
  springs,
  anchor,
  stribeck,
  linear
};
// What a model is fed. natural: what it has by itself (data_of).
enum class ContactSource { natural, manifold, features, deepest, volume, vertices };
enum class Stabilize { none, post, post_pinv, baumgarte, baumgarte_acc, gamma };
enum class StabilizeContacts { automatic, on, off };
enum class RestitutionLaw { newton, poisson, stronge, sequential };

struct ContactSettings {
  ContactModel model = ContactModel::st;
  FrictionKind friction = FrictionKind::natural;
  ContactSource data = ContactSource::natural;
  int directions = 8;  // of a pyramid; even
  Stabilize stabilize = Stabilize::post;
  int post_steps = 1;
  double rate = 0;  // baumgarte: alpha (1/s); gamma: 0 to 1
  // abut.stabilize.contacts: whether the stabiliser acts on contacts too, or on joints and limits
  // alone. automatic: where it may; `on` where it may not is refused (combinations.h).
  StabilizeContacts stabilize_contacts = StabilizeContacts::automatic;
  double stiff = 0;                             // baumgarte-acc: beta (1/s^2), rate being its alpha
  RestitutionLaw law = RestitutionLaw::newton;  // abut.restitution.law
  // baraff, multipoint: abut.impact.time; steps are taken in parts that end where solids meet
  bool regress = false;
  std::string solver = "auto";
  double tolerance = 1e-4;        // of the pair's size: contacts this near are contacts
  bool recover_velocity = false;  // st: psi / h as printed, overlap pushes
  // st: abut.st.contacts; all contacts within reach, linear about the start of the step as printed,
  // and not those alone that meet in it (contacts_ahead.h)
  bool contacts_of_start = false;
  bool explicit_layers = false;  // quasirigid: abut.quasirigid.step
  bool relinearize = true;       // peg: abut.peg.relinearize, gaps exact at the end of the step
};

// The models of Williams, Lu and Trinkle that choose between features: their gaps count when they
// are negative too, and stabilisers leave their contacts alone.
bool knows_features(ContactModel model);

std::string_view name(ContactModel model);
std::string_view name(FrictionKind friction);
std::string_view name(ContactSource data);
// manifold: patches; features: contacts of all features that are near, as Williams, Lu and Trinkle
// have them; deepest: one point a pair; volume: what two solids have in common; vertices: those of
// it.
ContactSource data_of(const ContactSettings& s);
std::string_view name(Stabilize stabilize);
std::string_view name(StabilizeContacts which);  // auto on off
std::string_view name(RestitutionLaw law);

// Whether the stabiliser acts on contacts: post with st and ap; baumgarte and gamma with ap alone,
// as psi / h of st holds the whole gap already; none with penalty models, whose forces live on
// overlap (docs/derivations/rules.md).
bool stabilizes_contacts(const ContactSettings& s);

// Impacts pair by pair, before a step (impact/).
bool has_impacts(ContactModel model);
// Contact by forces of springs and dampers (penalty/).
bool is_penalty(ContactModel model);
// Whether quasirigid's layers are forces, and not rows of a problem: so asked for, or by a friction
// that is a force, or by rk4.
bool has_explicit_layers(const ContactSettings& s, Integrator integrator);
// What is meant by natural: anchor with penalty models, none with baraff, else cone; quasirigid's
// is the one or the other.
FrictionKind friction_of(const ContactSettings& s);

// As one would write them on the command line: "pyramid:8", "post:2".
std::string friction_text(const ContactSettings& s);
std::string stabilize_text(const ContactSettings& s);

// From `abut.contact`, `abut.friction`, `abut.stabilize`, `abut.solver` and others of the world.
// Throws WorldError that lists what there is.
ContactSettings contact_settings(const Model& model);

// The same words from the command line; empty ones leave it as it is. Throws
// std::invalid_argument.
void set_contact(ContactSettings& s, std::string_view text);
// manifold features deepest volume vertices
void set_data(ContactSettings& s, std::string_view text);
// none cone pyramid[:N] slip viscous springs anchor stribeck linear
void set_friction(ContactSettings& s, std::string_view text);
void set_stabilize(ContactSettings& s,
                   std::string_view text);  // none post[:N] post-pinv[:N] baumgarte[:a]
                                            // baumgarte-acc[:a,b] gamma[:g]
void set_stabilize_contacts(ContactSettings& s, std::string_view text);  // auto on off
void set_solver(ContactSettings& s, std::string_view text);  // a name, auto, or a chain a,b,c

}  // namespace abut
