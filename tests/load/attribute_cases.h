// One case an attribute: a piece of MJCF, what is between [[ and ]] only with the
// attribute, and what the dump of the world then says.
#pragma once

#include <ostream>
#include <vector>

namespace abut::test {

struct AttributeCase {
  const char* element;
  const char* attribute;
  const char* xml;
  const char* shows;
};

inline void PrintTo(const AttributeCase& c, std::ostream* out) { *out << c.xml; }

#define JOINT(text) "<worldbody><body><joint " text "/><geom size='1'/></body></worldbody>"
#define GEOM(text) "<worldbody><geom " text "/></worldbody>"
#define SITE(text) "<worldbody><site " text "/></worldbody>"
#define BODY(text) "<worldbody><body " text "><geom size='1'/></body></worldbody>"
#define INERTIAL(text) "<worldbody><body><inertial " text "/></body></worldbody>"
#define MESH(text) "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' " text "/></asset>"
#define HFIELD(text) "<asset><hfield name='h' " text "/></asset>"
#define PAIR(text) "<contact><pair geom1='a' geom2='b' " text "/></contact>"
#define FIXED(text) "<tendon><fixed " text "><joint joint='j' coef='2'/></fixed></tendon>"
#define EQUALITY(text) "<equality><" text "/></equality>"
#define ACTUATOR(text) "<actuator><" text "/></actuator>"
#define SENSOR(text) "<sensor><" text "/></sensor>"
#define KEY(text) "<keyframe><key " text "/></keyframe>"
#define PI_2 "1.57079632679"

inline const std::vector<AttributeCase> kAttributeCases = {
    // compiler
    {"compiler", "autolimits", "<compiler [[autolimits='false']]/>", "autolimits=false"},
    {"compiler", "boundmass", "<compiler [[boundmass='0.5']]/>", "bound_mass=0.5"},
    {"compiler", "boundinertia", "<compiler [[boundinertia='0.5']]/>", "bound_inertia=0.5"},
    {"compiler", "settotalmass", "<compiler [[settotalmass='3']]/>", "set_total_mass=3"},
    {"compiler", "balanceinertia", "<compiler [[balanceinertia='true']]/>", "balance_inertia=true"},
    {"compiler", "alignfree", "<compiler [[alignfree='true']]/>", "align_free=true"},
    {"compiler", "fitaabb", "<compiler [[fitaabb='true']]/>", "fit_aabb=true"},
    {"compiler", "inertiafromgeom", "<compiler [[inertiafromgeom='true']]/>",
     "inertia_from_geom=1"},
    {"compiler", "inertiagrouprange", "<compiler [[inertiagrouprange='1 3']]/>",
     "inertia_group_range=1 3"},
    {"compiler", "angle", "<compiler [[angle='radian']]/>" JOINT("range='0 1'"), "range=0 1"},
    {"compiler", "meshdir",
     "<compiler meshdir='[[parts|.]]'/><asset><mesh file='tetra.obj'/></asset>",
     "vertices=0 0 0 2 0 0 0 2 0 0 0 2"},

    // option
    {"option", "timestep", "<option [[timestep='0.01']]/>", "timestep=0.01"},
    {"option", "gravity", "<option [[gravity='1 2 3']]/>", "gravity=1 2 3"},
    {"option", "wind", "<option [[wind='1 2 3']]/>", "wind=1 2 3"},
    {"option", "magnetic", "<option [[magnetic='1 2 3']]/>", "magnetic=1 2 3"},
    {"option", "density", "<option [[density='1.2']]/>", "density=1.2"},
    {"option", "viscosity", "<option [[viscosity='0.5']]/>", "viscosity=0.5"},
    {"option", "integrator", "<option [[integrator='RK4']]/>", "integrator=3"},
    {"option", "integrator", "<option [[integrator='implicitfast']]/>", "integrator=1"},
    {"option", "actuatorgroupdisable", "<option [[actuatorgroupdisable='0 2']]/>",
     "disabled_actuator_groups=5"},
    {"flag", "constraint", "<option><flag [[constraint='disable']]/></option>",
     "constraint_on=false"},
    {"flag", "equality", "<option><flag [[equality='disable']]/></option>", "equality_on=false"},
    {"flag", "frictionloss", "<option><flag [[frictionloss='disable']]/></option>",
     "frictionloss_on=false"},
    {"flag", "limit", "<option><flag [[limit='disable']]/></option>", "limit_on=false"},
    {"flag", "contact", "<option><flag [[contact='disable']]/></option>", "contact_on=false"},
    {"flag", "spring", "<option><flag [[spring='disable']]/></option>", "spring_on=false"},
    {"flag", "damper", "<option><flag [[damper='disable']]/></option>", "damper_on=false"},
    {"flag", "passive", "<option><flag [[passive='disable']]/></option>", "damper_on=false"},
    {"flag", "gravity", "<option><flag [[gravity='disable']]/></option>", "gravity_on=false"},
    {"flag", "clampctrl", "<option><flag [[clampctrl='disable']]/></option>", "clamp_ctrl=false"},
    {"flag", "filterparent", "<option><flag [[filterparent='disable']]/></option>",
     "filter_parent=false"},
    {"flag", "actuation", "<option><flag [[actuation='disable']]/></option>", "actuation_on=false"},
    {"flag", "eulerdamp", "<option><flag [[eulerdamp='disable']]/></option>", "euler_damp=false"},

    // body, frame, replicate
    {"body", "name", BODY("[[name='b']]"), "body b pose"},
    {"body", "pos", BODY("[[pos='1 2 3']]"), "pose=1 2 3 |"},
    {"body", "quat", BODY("[[quat='0 1 0 0']]"), "| 0 1 0 0"},
    {"body", "axisangle", BODY("[[axisangle='0 2 0 180']]"), " 0 1 0\n"},
    {"body", "xyaxes", BODY("[[xyaxes='0 1 0 -1 0 0']]"), "| 0.707106781187 0 0 0.707106781187"},
    {"body", "zaxis", BODY("[[zaxis='1 0 0']]"), "| 0.707106781187 0 0.707106781187 0"},
    {"body", "euler", BODY("[[euler='90 0 0']]"), "| 0.707106781187 0.707106781187 0 0"},
    {"body", "mocap", BODY("[[mocap='true']]"), "mocap=true"},
    {"body", "gravcomp", BODY("[[gravcomp='0.5']]"), "gravcomp=0.5"},
    {"body", "childclass",
     "<default><default class='heavy'><geom density='7'/></default></default>" BODY(
         "[[childclass='heavy']]"),
     "density=7"},
    {"frame", "pos", "<worldbody><frame [[pos='1 0 0']]><geom size='1'/></frame></worldbody>",
     "pose=1 0 0 |"},
    {"frame", "euler",
     "<worldbody><frame [[euler='0 0 90']]><body pos='1 0 0'/></frame></worldbody>",
     "| 0.707106781187 0 0 0.707106781187"},
    {"frame", "childclass",
     "<default><default class='heavy'><geom density='7'/></default></default>"
     "<worldbody><frame [[childclass='heavy']]><geom size='1'/></frame></worldbody>",
     "density=7"},
    {"replicate", "count",
     "<worldbody><replicate count='[[2|1]]'><geom name='g' size='1'/></replicate></worldbody>",
     "geom g1 "},
    {"replicate", "offset",
     "<worldbody><replicate count='2' [[offset='0 3 0']]><geom size='1'/></replicate></worldbody>",
     "pose=0 3 0 |"},
    {"replicate", "euler",
     "<worldbody><replicate count='2' [[euler='0 0 90']]><geom size='1'/></replicate></worldbody>",
     "| 0.707106781187 0 0 0.707106781187"},
    {"replicate", "sep",
     "<worldbody><replicate count='2' [[sep='-']]><geom name='g' "
     "size='1'/></replicate></worldbody>",
     "geom g-1 "},

    // inertial
    {"inertial", "pos", INERTIAL("pos='[[1 2 3|0 0 0]]' mass='1' diaginertia='1 1 1'"),
     "pose=1 2 3 |"},
    {"inertial", "quat", INERTIAL("pos='0 0 0' mass='1' diaginertia='1 1 1' [[quat='0 0 1 0']]"),
     "| 0 0 1 0"},
    {"inertial", "mass", INERTIAL("pos='0 0 0' mass='[[2|1]]' diaginertia='1 1 1'"), "mass=2"},
    {"inertial", "diaginertia", INERTIAL("pos='0 0 0' mass='1' [[diaginertia='1 2 2.5']]"),
     "diaginertia=1 2 2.5"},
    {"inertial", "fullinertia", INERTIAL("pos='0 0 0' mass='1' [[fullinertia='1 2 2.5 0 0 0.1']]"),
     "fullinertia=1 2 2.5 0 0 0.1"},

    // joint
    {"joint", "name", JOINT("[[name='j']]"), "joint j type"},
    {"joint", "class",
     "<default><default class='c'><joint damping='7'/></default></default>" JOINT("[[class='c']]"),
     "damping=7 0 0"},
    {"joint", "type", JOINT("[[type='slide']]"), "joint  type=2"},
    {"joint", "group", JOINT("[[group='3']]"), "group=3"},
    {"joint", "pos", JOINT("[[pos='1 2 3']]"), "pos=1 2 3"},
    {"joint", "axis", JOINT("[[axis='1 0 0']]"), "axis=1 0 0"},
    {"joint", "springdamper", JOINT("[[springdamper='0.1 1']]"), "springdamper=0.1 1"},
    {"joint", "limited", JOINT("range='0 90' [[limited='false']]"), "joint  limited=false"},
    {"joint", "actuatorfrclimited", JOINT("[[actuatorfrclimited='true']]"),
     "actuatorfrclimited=true"},
    {"joint", "stiffness", JOINT("[[stiffness='5 1']]"), "stiffness=5 1 0"},
    {"joint", "range", JOINT("[[range='0 90']]"), "range=0 " PI_2},
    {"joint", "actuatorfrcrange", JOINT("[[actuatorfrcrange='-1 2']]"), "actuatorfrcrange=-1 2"},
    {"joint", "actuatorgravcomp", JOINT("[[actuatorgravcomp='true']]"), "actuatorgravcomp=true"},
    {"joint", "margin", JOINT("[[margin='0.1']]"), "margin=0.1"},
    {"joint", "ref", JOINT("[[ref='90']]"), "joint  ref=" PI_2},
    {"joint", "springref", JOINT("[[springref='90']]"), "springref=" PI_2},
    {"joint", "armature", JOINT("[[armature='0.3']]"), "armature=0.3"},
    {"joint", "damping", JOINT("[[damping='4']]"), "damping=4 0 0"},
    {"joint", "frictionloss", JOINT("[[frictionloss='0.6']]"), "frictionloss=0.6"},
    {"freejoint", "name", "<worldbody><body><freejoint [[name='f']]/></body></worldbody>",
     "joint f "},
    {"freejoint", "group", "<worldbody><body><freejoint [[group='2']]/></body></worldbody>",
     "group=2"},
    {"freejoint", "align", "<worldbody><body><freejoint [[align='true']]/></body></worldbody>",
     "align=true"},

    // geom
    {"geom", "name", GEOM("size='1' [[name='g']]"), "geom g type"},
    {"geom", "class",
     "<default><default class='c'><geom density='7'/></default></default>" GEOM(
         "size='1' [[class='c']]"),
     "density=7"},
    {"geom", "type", GEOM("size='1 1 1' [[type='box']]"), "type=6"},
    {"geom", "contype", GEOM("size='1' [[contype='4']]"), "contype=4"},
    {"geom", "conaffinity", GEOM("size='1' [[conaffinity='4']]"), "conaffinity=4"},
    {"geom", "condim", GEOM("size='1' [[condim='1']]"), "condim=1"},
    {"geom", "group", GEOM("size='1' [[group='2']]"), "group=2"},
    {"geom", "priority", GEOM("size='1' [[priority='2']]"), "priority=2"},
    {"geom", "size", GEOM("size='[[2|1]]'"), "size=2 0 0"},
    {"geom", "material",
     "<asset><material name='m' rgba='1 0 0 1'/></asset>" GEOM("size='1' [[material='m']]"),
     "rgba=1 0 0 1"},
    {"geom", "friction", GEOM("size='1' [[friction='0.3']]"), "friction=0.3 0.005 0.0001"},
    {"geom", "mass", GEOM("size='1' [[mass='3']]"), "mass=3"},
    {"geom", "density", GEOM("size='1' [[density='3']]"), "density=3"},
    {"geom", "shellinertia", GEOM("size='1' [[shellinertia='true']]"), "shell=true"},
    {"geom", "solmix", GEOM("size='1' [[solmix='3']]"), "solmix=3"},
    {"geom", "margin", GEOM("size='1' [[margin='0.3']]"), "margin=0.3"},
    {"geom", "gap", GEOM("size='1' [[gap='0.3']]"), "gap=0.3"},
    {"geom", "fromto", GEOM("type='capsule' size='1' [[fromto='0 0 0 0 0 3']]"),
     "fromto=0 0 0 0 0 3"},
    {"geom", "pos", GEOM("size='1' [[pos='1 2 3']]"), "pose=1 2 3 |"},
    {"geom", "quat", GEOM("size='1' [[quat='0 1 0 0']]"), "| 0 1 0 0"},
    {"geom", "hfield", GEOM("[[hfield='h']]"), "hfield=h"},
    {"geom", "mesh", GEOM("[[mesh='m']]"), "mesh=m"},
    {"geom", "fitscale", GEOM("size='1' [[fitscale='2']]"), "fitscale=2"},
    {"geom", "rgba", GEOM("size='1' [[rgba='1 0 0 1']]"), "rgba=1 0 0 1"},
    {"geom", "fluidshape", GEOM("size='1' [[fluidshape='ellipsoid']]"), "fluid_ellipsoid=true"},
    {"geom", "fluidcoef", GEOM("size='1' [[fluidcoef='0.1 0.2']]"), "fluidcoef=0.1 0.2 1.5 1 1"},

    // site
    {"site", "name", SITE("[[name='s']]"), "site s type"},
    {"site", "class",
     "<default><default class='c'><site size='7'/></default></default>" SITE("[[class='c']]"),
     "size=7 "},
    {"site", "type", SITE("[[type='box']]"), "type=6"},
    {"site", "group", SITE("[[group='3']]"), "group=3"},
    {"site", "pos", SITE("[[pos='1 2 3']]"), "pose=1 2 3 |"},
    {"site", "euler", SITE("[[euler='180 0 0']]"), " 1 0 0\n"},
    {"site", "size", SITE("[[size='0.1']]"), "size=0.1 0.005 0.005"},
    {"site", "fromto", SITE("type='capsule' [[fromto='0 0 0 0 0 3']]"), "fromto=0 0 0 0 0 3"},
    {"site", "rgba", SITE("[[rgba='1 0 0 1']]"), "rgba=1 0 0 1"},

    // assets
    {"mesh", "name", "<asset><mesh [[name='n']] file='tetra.obj'/></asset>", "mesh n "},
    {"mesh", "class",
     "<default><default class='c'><mesh scale='7 7 7'/></default></default>" MESH("[[class='c']]"),
     "scale=7 7 7"},
    {"mesh", "file", "<asset><mesh file='tetra.[[stl|obj]]'/></asset>", "mesh tetra faces=0 1 2"},
    {"mesh", "vertex", "<asset><mesh name='m' vertex='0 0 [[5|6]] 1 0 0 0 1 0 0 0 1'/></asset>",
     "vertices=0 0 5"},
    {"mesh", "face", MESH("[[face='0 2 1']]"), "faces=0 2 1"},
    {"mesh", "refpos", MESH("[[refpos='1 2 3']]"), "refpos=1 2 3"},
    {"mesh", "refquat", MESH("[[refquat='0 1 0 0']]"), "refquat=0 1 0 0"},
    {"mesh", "scale", MESH("[[scale='1 2 3']]"), "scale=1 2 3"},
    {"mesh", "maxhullvert", MESH("[[maxhullvert='8']]"), "maxhullvert=8"},
    {"mesh", "inertia", MESH("[[inertia='exact']]"), "inertia=1"},
    {"hfield", "name", "<asset><hfield name='[[a|b]]' size='1 1 1 1' nrow='1' ncol='1'/></asset>",
     "hfield a "},
    {"hfield", "size", HFIELD("nrow='1' ncol='1' size='1 [[2|1]] 1 1'"), "size=1 2 1 1"},
    {"hfield", "nrow", HFIELD("nrow='[[2|1]]' ncol='2' size='1 1 1 1'"), "rows=2"},
    {"hfield", "ncol", HFIELD("nrow='2' ncol='[[2|1]]' size='1 1 1 1'"), "cols=2"},
    {"hfield", "elevation", HFIELD("nrow='2' ncol='2' size='1 1 1 1' [[elevation='1 2 3 4']]"),
     "elevation=3 4 1 2"},
    {"hfield", "file", HFIELD("size='1 1 1 1' [[file='hill.png'|nrow='2' ncol='3']]"),
     "elevation=50 60 70 0 100 255"},
    {"material", "name",
     "<asset><material name='[[m|n]]' rgba='0 1 0 1'/></asset>" GEOM("size='1' material='m'"),
     "rgba=0 1 0 1"},
    {"material", "class",
     "<default><default class='c'><material rgba='0 1 0 1'/></default></default>"
     "<asset><material name='m' [[class='c']]/></asset>" GEOM("size='1' material='m'"),
     "rgba=0 1 0 1"},
    {"material", "rgba",
     "<asset><material name='m' [[rgba='0 1 0 1']]/></asset>" GEOM("size='1' material='m'"),
     "rgba=0 1 0 1"},

    // contact
    {"pair", "name", PAIR("[[name='p']]"), "pair p "},
    {"pair", "class",
     "<default><default class='c'><pair gap='7'/></default></default>" PAIR("[[class='c']]"),
     "gap=7"},
    {"pair", "geom1", "<contact><pair geom1='[[a|c]]' geom2='b'/></contact>", "geom1=a"},
    {"pair", "geom2", "<contact><pair geom1='a' geom2='[[b|c]]'/></contact>", "geom2=b"},
    {"pair", "condim", PAIR("[[condim='1']]"), "condim=1"},
    {"pair", "friction", PAIR("[[friction='1 2']]"), "friction=1 2"},
    {"pair", "gap", PAIR("[[gap='0.1']]"), "gap=0.1"},
    {"pair", "margin", PAIR("[[margin='0.1']]"), "margin=0.1"},
    {"exclude", "name", "<contact><exclude [[name='x']] body1='a' body2='b'/></contact>",
     "exclude x "},
    {"exclude", "body1", "<contact><exclude body1='[[a|c]]' body2='b'/></contact>", "body1=a"},
    {"exclude", "body2", "<contact><exclude body1='a' body2='[[b|c]]'/></contact>", "body2=b"},

    // equality
    {"connect", "name", EQUALITY("connect [[name='e']] body1='a' anchor='0 0 0'"), "equality e "},
    {"connect", "class",
     "<default><default class='c'><equality active='false'/></default></default>" EQUALITY(
         "connect [[class='c']] body1='a' anchor='0 0 0'"),
     "active=false"},
    {"connect", "active", EQUALITY("connect [[active='false']] body1='a' anchor='0 0 0'"),
     "active=false"},
    {"connect", "body1", EQUALITY("connect body1='[[a|b]]' anchor='0 0 0'"), "first=a"},
    {"connect", "body2", EQUALITY("connect body1='a' [[body2='b']] anchor='0 0 0'"), "second=b"},
    {"connect", "anchor", EQUALITY("connect body1='a' anchor='[[1 2 3|0 0 0]]'"), "anchor=1 2 3"},
    {"connect", "site1", EQUALITY("connect [[site1='s' site2='t'|body1='a' anchor='0 0 0']]"),
     "first=s"},
    {"connect", "site2", EQUALITY("connect [[site1='s' site2='t'|body1='a' anchor='0 0 0']]"),
     "by_site=true"},
    {"weld", "body1", EQUALITY("weld body1='[[a|b]]'"), "first=a"},
    {"weld", "relpose", EQUALITY("weld body1='a' [[relpose='1 2 3 0 1 0 0']]"),
     "relpose=1 2 3 | 0 1 0 0"},
    {"weld", "anchor", EQUALITY("weld body1='a' [[anchor='1 2 3']]"), "anchor=1 2 3"},
    {"weld", "torquescale", EQUALITY("weld body1='a' [[torquescale='2']]"), "torquescale=2"},
    {"equality_joint", "joint1", EQUALITY("joint joint1='[[a|b]]'"), "first=a"},
    {"equality_joint", "joint2", EQUALITY("joint joint1='a' [[joint2='b']]"), "second=b"},
    {"equality_joint", "polycoef", EQUALITY("joint joint1='a' [[polycoef='1 2']]"),
     "polycoef=1 2 0 0 0"},
    {"equality_tendon", "tendon1", EQUALITY("tendon tendon1='[[a|b]]'"), "first=a"},
    {"equality_tendon", "tendon2", EQUALITY("tendon tendon1='a' [[tendon2='b']]"), "second=b"},
    {"default_equality", "active",
     "<default><equality [[active='false']]/></default>" EQUALITY("weld body1='a'"),
     "active=false"},

    // tendon
    {"fixed", "name", FIXED("[[name='t']]"), "tendon t "},
    {"fixed", "class",
     "<default><default class='c'><tendon damping='7'/></default></default>" FIXED("[[class='c']]"),
     "damping=7 0 0"},
    {"fixed", "limited", FIXED("[[limited='true']]"), "tendon  limited=true"},
    {"fixed", "actuatorfrclimited", FIXED("[[actuatorfrclimited='true']]"),
     "actuatorfrclimited=true"},
    {"fixed", "range", FIXED("[[range='1 2']]"), "range=1 2"},
    {"fixed", "actuatorfrcrange", FIXED("[[actuatorfrcrange='1 2']]"), "actuatorfrcrange=1 2"},
    {"fixed", "frictionloss", FIXED("[[frictionloss='3']]"), "frictionloss=3"},
    {"fixed", "springlength", FIXED("[[springlength='3']]"), "springlength=3 3"},
    {"fixed", "margin", FIXED("[[margin='3']]"), "margin=3"},
    {"fixed", "stiffness", FIXED("[[stiffness='3']]"), "stiffness=3 0 0"},
    {"fixed", "damping", FIXED("[[damping='3']]"), "damping=3 0 0"},
    {"fixed", "armature", FIXED("[[armature='3']]"), "armature=3"},
    {"fixed_joint", "joint", "<tendon><fixed><joint joint='[[j|k]]' coef='2'/></fixed></tendon>",
     "joints=j"},
    {"fixed_joint", "coef", "<tendon><fixed><joint joint='j' coef='[[3|2]]'/></fixed></tendon>",
     "coef=3"},

    // actuator
    {"general", "name", ACTUATOR("general joint='j' [[name='a']]"), "actuator a "},
    {"general", "class",
     "<default><default class='c'><general gear='7'/></default></default>" ACTUATOR(
         "general joint='j' [[class='c']]"),
     "gear=7 0 0 0 0 0"},
    {"general", "group", ACTUATOR("general joint='j' [[group='3']]"), "group=3"},
    {"general", "ctrlrange", ACTUATOR("general joint='j' [[ctrlrange='1 2']]"), "ctrlrange=1 2"},
    {"general", "ctrllimited", ACTUATOR("general joint='j' [[ctrllimited='true']]"),
     "ctrllimited=true"},
    {"general", "forcelimited", ACTUATOR("general joint='j' [[forcelimited='true']]"),
     "forcelimited=true"},
    {"general", "actlimited", ACTUATOR("general joint='j' [[actlimited='true']]"),
     "actlimited=true"},
    {"general", "forcerange", ACTUATOR("general joint='j' [[forcerange='1 2']]"), "forcerange=1 2"},
    {"general", "actrange", ACTUATOR("general joint='j' [[actrange='1 2']]"), "actrange=1 2"},
    {"general", "gear", ACTUATOR("general joint='j' [[gear='2 3']]"), "gear=2 3 0 0 0 0"},
    {"general", "joint", ACTUATOR("general joint='[[j|k]]'"), "target=j"},
    {"general", "jointinparent", ACTUATOR("general [[jointinparent|joint]]='j'"), "transmission=1"},
    {"general", "tendon", ACTUATOR("general [[tendon|joint]]='j'"), "transmission=2"},
    {"general", "site", ACTUATOR("general [[site|joint]]='j'"), "transmission=3"},
    {"general", "refsite", ACTUATOR("general site='s' [[refsite='r']]"), "refsite=r"},
    {"general", "dyntype", ACTUATOR("general joint='j' [[dyntype='filter']]"), "dynamics=2"},
    {"general", "gaintype", ACTUATOR("general joint='j' [[gaintype='affine']]"), "gain=1"},
    {"general", "biastype", ACTUATOR("general joint='j' [[biastype='affine']]"), "bias=1"},
    {"general", "dynprm", ACTUATOR("general joint='j' [[dynprm='3']]"), "dynprm=3 0 0"},
    {"general", "gainprm", ACTUATOR("general joint='j' [[gainprm='3']]"), "gainprm=3 0 0"},
    {"general", "biasprm", ACTUATOR("general joint='j' [[biasprm='0 -3']]"), "biasprm=0 -3 0"},
    {"general", "actearly", ACTUATOR("general joint='j' [[actearly='true']]"), "actearly=true"},
    {"position", "kp", ACTUATOR("position joint='j' [[kp='5']]"), "biasprm=0 -5 0"},
    {"position", "kv", ACTUATOR("position joint='j' [[kv='5']]"), "biasprm=0 -1 -5"},
    {"position", "dampratio", ACTUATOR("position joint='j' [[dampratio='0.5']]"),
     "damping_ratio=0.5"},
    {"position", "timeconst", ACTUATOR("position joint='j' [[timeconst='0.5']]"), "dynamics=3"},
    {"position", "inheritrange", ACTUATOR("position joint='j' [[inheritrange='0.9']]"),
     "inheritrange=0.9"},
    {"velocity", "kv", ACTUATOR("velocity joint='j' [[kv='5']]"), "biasprm=0 0 -5"},
    {"intvelocity", "kp", ACTUATOR("intvelocity joint='j' [[kp='5']]"), "biasprm=0 -5 0"},
    {"intvelocity", "kv", ACTUATOR("intvelocity joint='j' [[kv='5']]"), "biasprm=0 -1 -5"},
    {"intvelocity", "dampratio", ACTUATOR("intvelocity joint='j' [[dampratio='0.5']]"),
     "damping_ratio=0.5"},
    {"intvelocity", "inheritrange", ACTUATOR("intvelocity joint='j' [[inheritrange='0.9']]"),
     "inheritrange=0.9"},
    {"damper", "kv", ACTUATOR("damper joint='j' ctrlrange='0 1' [[kv='5']]"), "gainprm=0 0 -5"},
    {"cylinder", "timeconst", ACTUATOR("cylinder joint='j' [[timeconst='5']]"), "dynprm=5 0 0"},
    {"cylinder", "area", ACTUATOR("cylinder joint='j' [[area='5']]"), "gainprm=5 0 0"},
    {"cylinder", "diameter", ACTUATOR("cylinder joint='j' [[diameter='2']]"),
     "gainprm=3.14159265359 0 0"},
    {"cylinder", "bias", ACTUATOR("cylinder joint='j' [[bias='1 2 3']]"), "biasprm=1 2 3"},

    // sensor
    {"site_sensor", "name", SENSOR("gyro site='s' [[name='g']]"), "sensor g "},
    {"site_sensor", "cutoff", SENSOR("gyro site='s' [[cutoff='3']]"), "cutoff=3"},
    {"site_sensor", "noise", SENSOR("gyro site='s' [[noise='3']]"), "noise=3"},
    {"site_sensor", "site", SENSOR("gyro site='[[s|t]]'"), "object=s"},
    {"joint_sensor", "joint", SENSOR("jointpos joint='[[s|t]]'"), "object=s"},
    {"tendon_sensor", "tendon", SENSOR("tendonpos tendon='[[s|t]]'"), "object=s"},
    {"actuator_sensor", "actuator", SENSOR("actuatorpos actuator='[[s|t]]'"), "object=s"},
    {"body_sensor", "body", SENSOR("subtreecom body='[[s|t]]'"), "object=s"},
    {"frame_sensor", "objtype", SENSOR("framepos objtype='[[body|site]]' objname='s'"),
     "objtype=body"},
    {"frame_sensor", "objname", SENSOR("framepos objtype='body' objname='[[s|t]]'"), "object=s"},
    {"frame_sensor", "reftype",
     SENSOR("framepos objtype='body' objname='s' [[reftype='body' refname='t']]"), "reftype=body"},
    {"frame_sensor", "refname",
     SENSOR("framepos objtype='body' objname='s' [[reftype='body' refname='t']]"), "reference=t"},
    {"distance_sensor", "geom1", SENSOR("distance geom1='[[s|t]]' geom2='t'"), "object=s"},
    {"distance_sensor", "geom2", SENSOR("distance geom1='s' geom2='[[t|s]]'"), "reference=t"},
    {"contact_sensor", "geom1", SENSOR("contact [[geom1='s']]"), "object=s"},
    {"contact_sensor", "geom2", SENSOR("contact geom1='s' [[geom2='t']]"), "reference=t"},
    {"contact_sensor", "subtree1", SENSOR("contact [[subtree1='s']]"), "objtype=xbody"},
    {"contact_sensor", "subtree2", SENSOR("contact [[subtree2='s']]"), "reftype=xbody"},
    {"tactile", "geom", SENSOR("tactile geom='[[s|t]]' mesh='m'"), "reference=s"},
    {"tactile", "mesh", SENSOR("tactile geom='s' mesh='[[m|n]]'"), "object=m"},

    // custom, keyframe
    {"numeric", "name", "<custom><numeric name='[[a|b]]' data='1'/></custom>", "numeric a "},
    {"numeric", "size", "<custom><numeric name='a' [[size='3']] data='1 2'/></custom>",
     "data=1 2 0"},
    {"numeric", "data", "<custom><numeric name='a' size='2' [[data='1 2']]/></custom>", "data=1 2"},
    {"text", "name", "<custom><text name='[[a|b]]' data='x'/></custom>", "text a "},
    {"text", "data", "<custom><text name='a' data='[[x|y]]'/></custom>", "data=x"},
    {"tuple", "name", "<custom><tuple name='[[a|b]]'/></custom>", "tuple a "},
    {"element", "objtype",
     "<custom><tuple name='a'><element objtype='[[geom|body]]' objname='g'/></tuple></custom>",
     "objtype=geom"},
    {"element", "objname",
     "<custom><tuple name='a'><element objtype='geom' objname='[[g|h]]'/></tuple></custom>",
     "objname=g"},
    {"element", "prm",
     "<custom><tuple name='a'><element objtype='geom' objname='g' [[prm='0.5']]/></tuple></custom>",
     "prm=0.5"},
    {"key", "name", KEY("[[name='k']]"), "key k "},
    {"key", "time", KEY("[[time='3']]"), "time=3"},
    {"key", "qpos", KEY("[[qpos='1 2']]"), "qpos=1 2"},
    {"key", "qvel", KEY("[[qvel='1 2']]"), "qvel=1 2"},
    {"key", "act", KEY("[[act='1 2']]"), "act=1 2"},
    {"key", "ctrl", KEY("[[ctrl='1 2']]"), "ctrl=1 2"},
    {"key", "mpos", KEY("[[mpos='1 2 3']]"), "mpos=1 2 3"},
    {"key", "mquat", KEY("[[mquat='1 0 0 0']]"), "mquat=1 0 0 0"},
};

#undef JOINT
#undef GEOM
#undef SITE
#undef BODY
#undef INERTIAL
#undef MESH
#undef HFIELD
#undef PAIR
#undef FIXED
#undef EQUALITY
#undef ACTUATOR
#undef SENSOR
#undef KEY
#undef PI_2

}  // namespace abut::test
