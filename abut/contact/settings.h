// ContactSettings: what the user chooses of a contact model (command line, `abut.*` of a world, or
// C++). choose.h reads and checks them, and fills in what nobody chose: models get settings without
// a `natural` in them.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "abut/constrain/step/step_settings.h"
#include "abut/constrain/tolerances.h"
#include "abut/model/model.h"

namespace abut {

// natural: what the contact model has by itself.
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
// What a model is fed. natural: what it has by itself. manifold: patches, reduced to few points
// under models of impulses (collide/patch/patch_reduce.h); patch: all points of patches; features:
// contacts of all features that are near, as Williams, Lu and Trinkle have them; kissing: the
// kissing manifold of a pair, each corner with the pair's distance for its gap, as Cheng Yi and
// Drumwright have them; deepest: one point a pair; volume: what two solids have in common; vertices: those of it.
enum class ContactSource { natural, manifold, patch, features, kissing, deepest, volume, vertices };
enum class StabilizeContacts { automatic, on, off };
enum class RestitutionLaw { newton, poisson, stronge, sequential };

struct ContactSettings {
  // By its name in the registry (contact_model.h). A world that names none has the registry's
  // first: contact_settings() of choose.h.
  std::string model = "st";
  FrictionKind friction = FrictionKind::natural;
  ContactSource data = ContactSource::natural;
  int directions = 8;  // of a pyramid; even
  Stabilize stabilize = Stabilize::post;
  int post_steps = kPostUntilDone;
  double rate = 0;  // baumgarte: alpha (1/s); gamma: 0 to 1
  // abut.stabilize.contacts: whether the stabiliser acts on contacts too, or on joints and limits
  // alone. automatic: where it may; `on` where it may not is refused (combinations.h).
  StabilizeContacts stabilize_contacts = StabilizeContacts::automatic;
  double stiff = 0;                             // baumgarte-acc: beta (1/s^2), rate being its alpha
  RestitutionLaw law = RestitutionLaw::newton;  // abut.restitution.law
  // baraff, multipoint: abut.impact.time; steps are taken in parts that end where solids meet
  bool regress = false;
  std::string solver = "auto";
  double accuracy = 0;   // residual asked of solvers; 0: their own (contact_solvers.h)
  int iterations = 0;    // the most of a problem; 0: the solvers' own limits
  double budget_ms = 0;  // ms: after which solvers of a step end; 0: no limit
  double tolerance = kContactTolerance;  // of the pair's size: contacts this near are contacts
  // Settings of single models, by their key without `abut.`: {"st.recover", "velocity"}
  // (choose.h's set_own). What is not here has the model's default.
  std::map<std::string, std::string, std::less<>> own_words;
};

std::string_view name(FrictionKind friction);
std::string_view name(ContactSource data);
std::string_view name(Stabilize stabilize);
std::string_view name(StabilizeContacts which);  // auto on off
std::string_view name(RestitutionLaw law);

// The most points of a patch that a model of impulses is fed (CollideOptions::max_points).
int max_patch_points(const ContactSettings& s);

// What has a name, without `natural`.
std::span<const FrictionKind> frictions();
std::span<const ContactSource> contact_sources();
std::span<const Stabilize> stabilizers();

// A setting of a single model, by its key: "st.recover". Empty: nobody set it.
std::string_view own(const ContactSettings& s, std::string_view key);

// What these settings, and the model's rule for gaps, mean for the problem of a step. Of settings
// without a `natural` in them.
StepSettings step_settings(const ContactSettings& s, GapRule gaps);

}  // namespace abut
