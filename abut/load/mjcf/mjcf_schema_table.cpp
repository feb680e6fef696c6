#include "abut/load/mjcf/mjcf_schema_table.h"

#include <cassert>

namespace abut {
namespace {

constexpr SchemaRow kTable[] = {
    // sections -------------------------------------------------------------------
    {"mujoco", "model",
     "compiler option size statistic visual default !extension asset worldbody !deformable "
     "contact tendon equality actuator sensor custom keyframe"},
    {"compiler",
     "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle "
     "fitaabb eulerseq meshdir ~texturedir discardvisual ~usethread fusestatic inertiafromgeom "
     "inertiagrouprange ~saveinertial assetdir alignfree ~conflict ~exactmeshinertia ~convexhull",
     "lengthrange"},
    {"lengthrange",
     "~mode ~useexisting ~uselimit ~accel ~maxforce ~timeconst ~timestep ~inttotal ~interval "
     "~tolrange",
     ""},
    {"option",
     "timestep gravity wind magnetic density viscosity integrator actuatorgroupdisable ~impratio "
     "~tolerance ~ls_tolerance ~noslip_tolerance ~ccd_tolerance ~mpr_tolerance ~sleep_tolerance "
     "~o_margin ~o_solref ~o_solimp ~o_friction ~cone ~jacobian ~solver ~iterations "
     "~ls_iterations ~noslip_iterations ~ccd_iterations ~mpr_iterations ~sdf_iterations "
     "~sdf_initpoints ~apirate !collision",
     "flag"},
    {"flag",
     "constraint equality frictionloss limit contact spring damper passive gravity clampctrl "
     "filterparent actuation eulerdamp ~warmstart ~refsafe ~sensor ~midphase ~autoreset "
     "~nativeccd ~island ~multiccd !override ~energy ~fwdinv ~invdiscrete ~sleep ~diagexact",
     ""},
    {"size",
     "~memory ~njmax ~nconmax ~nstack ~nuserdata ~nkey ~nuser_body ~nuser_jnt ~nuser_geom "
     "~nuser_site ~nuser_cam ~nuser_tendon ~nuser_actuator ~nuser_sensor",
     ""},
    {"statistic", "~meaninertia ~meanmass ~meansize ~extent ~center", ""},
    {"visual", "", "global quality headlight map scale rgba"},
    {"default", "class",
     "default mesh material joint geom site camera light pair equality:default_equality "
     "tendon:default_tendon @actuators"},
    {"asset", "", "mesh hfield !skin !texture material model"},
    {"worldbody", "", "@tree"},
    {"contact", "", "pair exclude"},
    {"tendon", "", "fixed !spatial"},
    {"equality", "",
     "connect weld joint:equality_joint tendon:equality_tendon !flex:equality_flex "
     "!flexvert:equality_flex !flexstrain:equality_flex"},
    {"actuator", "", "@actuators plugin:actuator_plugin"},
    {"sensor", "", "@sensors"},
    {"custom", "", "numeric text tuple"},
    {"keyframe", "", "key"},

    // kinematic tree -------------------------------------------------------------
    {"body", "name childclass pos @orientation mocap gravcomp !sleep ~simple ~user",
     "@tree inertial joint freejoint"},
    {"frame", "~name childclass pos @orientation", "@tree inertial joint freejoint"},
    {"replicate", "count offset euler sep ~prefix childclass", "@tree inertial joint freejoint"},
    {"attach", "model body frame prefix", ""},
    {"inertial", "pos @orientation mass diaginertia fullinertia", ""},
    {"joint",
     "name class type group pos axis springdamper limited actuatorfrclimited ?solreflimit "
     "?solimplimit ?solreffriction ?solimpfriction stiffness range actuatorfrcrange "
     "actuatorgravcomp margin ref springref armature damping frictionloss ~user",
     ""},
    {"freejoint", "name group align", ""},
    {"geom",
     "name class type contype conaffinity condim group priority size material friction mass "
     "density shellinertia solmix ?solref ?solimp margin gap !surfacevel !adhesion fromto pos "
     "@orientation hfield mesh fitscale rgba fluidshape fluidcoef ~user",
     "!plugin"},
    {"site", "name class type group pos @orientation ~material size fromto rgba ~user", ""},
    {"camera",
     "~name ~class ~projection ~orthographic ~fovy ~ipd ~resolution ~output ~pos ~quat ~axisangle "
     "~xyaxes ~zaxis ~euler ~mode ~^target ~focal ~focalpixel ~principal ~principalpixel "
     "~sensorsize ~user",
     ""},
    {"light",
     "~name ~class ~directional ~type ~castshadow ~active ~pos ~dir ~bulbradius ~intensity ~range "
     "~attenuation ~cutoff ~softness ~exponent ~ambient ~diffuse ~specular ~mode ~^target "
     "~^texture",
     ""},

    // assets ---------------------------------------------------------------------
    {"mesh",
     "name class ^content_type ^file ^vertex ~^normal ~^texcoord ^face ^refpos ^refquat scale "
     "~^smoothnormal maxhullvert inertia ^builtin ^params ~^material",
     "!plugin"},
    {"hfield", "name content_type file nrow ncol size elevation", ""},
    {"material",
     "name class ~texture ~texrepeat ~texuniform ~emission ~specular ~shininess ~reflectance "
     "~metallic ~roughness rgba",
     "layer"},
    {"layer", "~texture ~role", ""},
    {"model", "name file ~content_type", ""},
    {"texture",
     "~name ~type ~colorspace ~content_type ~file ~gridsize ~gridlayout ~fileright ~fileleft "
     "~fileup ~filedown ~filefront ~fileback ~builtin ~rgb1 ~rgb2 ~mark ~markrgb ~random ~width "
     "~height ~hflip ~vflip ~nchannel",
     ""},

    // contact, equality, tendon --------------------------------------------------
    {"pair",
     "name class ^geom1 ^geom2 condim friction ?solref ?solreffriction ?solimp gap margin "
     "!adhesion",
     ""},
    {"exclude", "name body1 body2", ""},
    {"connect", "@equality_base body1 body2 anchor site1 site2", ""},
    {"weld", "@equality_base body1 body2 relpose anchor site1 site2 torquescale", ""},
    {"equality_joint", "@equality_base joint1 joint2 polycoef", ""},
    {"equality_tendon", "@equality_base tendon1 tendon2 polycoef", ""},
    {"equality_flex", "@equality_base ~flex ~cell", ""},
    {"default_equality", "active ?solref ?solimp", ""},
    {"fixed", "@tendon_base", "joint:fixed_joint"},
    {"spatial", "@tendon_base ~width ~material ~rgba",
     "site:spatial_site geom:spatial_geom pulley"},
    {"default_tendon", "@tendon_base ~width ~material ~rgba", ""},
    {"fixed_joint", "joint coef", ""},
    {"spatial_site", "~site", ""},
    {"spatial_geom", "~geom ~sidesite", ""},
    {"pulley", "~divisor", ""},

    // actuators ------------------------------------------------------------------
    {"general",
     "@actuator_base ctrllimited forcelimited actlimited forcerange actrange @actuator_dynamics "
     "@transmission ^body ~actdim !input !velrange !ffrange dyntype gaintype biastype dynprm "
     "gainprm biasprm actearly",
     ""},
    {"motor", "@actuator_base ctrllimited forcelimited forcerange @actuator_dynamics @transmission",
     ""},
    {"position",
     "@actuator_base ctrllimited forcelimited inheritrange forcerange @actuator_dynamics "
     "@transmission kp kv dampratio timeconst",
     ""},
    {"velocity",
     "@actuator_base ctrllimited forcelimited forcerange @actuator_dynamics @transmission kv", ""},
    {"intvelocity",
     "@actuator_base ctrllimited forcelimited actlimited forcerange actrange inheritrange "
     "@actuator_dynamics @transmission kp kv dampratio",
     ""},
    {"damper", "@actuator_base forcelimited forcerange @actuator_dynamics @transmission kv", ""},
    {"cylinder",
     "@actuator_base ctrllimited forcelimited forcerange @actuator_dynamics @transmission "
     "timeconst area diameter bias",
     ""},
    {"muscle",
     "@actuator_base ctrllimited forcelimited forcerange @actuator_dynamics @transmission "
     "~timeconst ~^tausmooth ~range ~force ~scale ~lmin ~lmax ~vmax ~fpmax ~fvmax",
     ""},
    {"adhesion", "@actuator_base forcelimited forcerange ^body ~gain", ""},
    {"orientation",
     "@actuator_base forcelimited forcerange ^joint ^site ^refsite ~kp ~kv ~dampratio ~input", ""},
    {"pid",
     "@actuator_base ctrllimited forcelimited ~posrange ~velrange ~ffrange forcerange "
     "~inheritrange @actuator_dynamics @transmission ~kp ~kv ~dampratio ~ki ~imax ~slewmax ~input",
     ""},
    {"dcmotor",
     "@actuator_base ctrllimited @actuator_dynamics @transmission ~motorconst ~resistance "
     "~nominal ~saturation ~inductance ~cogging ~controller ~thermal ~lugre ~input",
     ""},
    {"actuator_plugin",
     "@actuator_base ~plugin ~instance ctrllimited forcelimited actlimited forcerange actrange "
     "@actuator_dynamics @transmission ~actdim dyntype dynprm actearly",
     "config"},

    // sensors --------------------------------------------------------------------
    {"site_sensor", "@sensor_base site", ""},
    {"joint_sensor", "@sensor_base joint", ""},
    {"tendon_sensor", "@sensor_base tendon", ""},
    {"actuator_sensor", "@sensor_base actuator", ""},
    {"body_sensor", "@sensor_base body", ""},
    {"frame_sensor", "@sensor_base objtype objname reftype refname", ""},
    {"distance_sensor", "@sensor_base geom1 geom2 body1 body2", ""},
    {"camprojection", "@sensor_base site camera", ""},
    {"rangefinder", "@sensor_base site camera ~data", ""},
    {"insidesite", "@sensor_base site objtype objname", ""},
    {"contact_sensor",
     "@sensor_base geom1 geom2 body1 body2 subtree1 subtree2 site ~num ~data ~reduce", ""},
    {"world_sensor", "@sensor_base", ""},
    {"tactile", "@sensor_base geom mesh", ""},
    {"user_sensor", "@sensor_base objtype objname ~datatype ~needstage ~dim", ""},
    {"plugin_sensor", "name ~plugin ~instance cutoff objtype objname reftype refname ~user",
     "config"},

    // custom, keyframe -----------------------------------------------------------
    {"numeric", "name size data", ""},
    {"text", "name data", ""},
    {"tuple", "name", "element"},
    {"element", "objtype objname prm", ""},
    {"key", "name time qpos qvel act ctrl mpos mquat", ""},

    // looks ----------------------------------------------------------------------
    {"global",
     "~cameraid ~orthographic ~fovy ~ipd ~azimuth ~elevation ~linewidth ~glow ~offwidth "
     "~offheight ~realtime ~ellipsoidinertia ~bvactive",
     ""},
    {"quality", "~shadowsize ~offsamples ~numslices ~numstacks ~numquads", ""},
    {"headlight", "~ambient ~diffuse ~specular ~active", ""},
    {"map",
     "~stiffness ~stiffnessrot ~force ~torque ~alpha ~fogstart ~fogend ~znear ~zfar ~haze "
     "~shadowclip ~shadowscale ~actuatortendon",
     ""},
    {"scale",
     "~forcewidth ~contactwidth ~contactheight ~connect ~com ~camera ~light ~selectpoint "
     "~jointlength ~jointwidth ~actuatorlength ~actuatorwidth ~framelength ~framewidth "
     "~constraint ~slidercrank ~frustum",
     ""},
    {"rgba",
     "~fog ~haze ~force ~inertia ~joint ~actuator ~actuatornegative ~actuatorpositive ~com "
     "~camera ~light ~selectpoint ~connect ~contactpoint ~contactforce ~contactfriction "
     "~contacttorque ~contactgap ~rangefinder ~constraint ~slidercrank ~crankbroken ~frustum ~bv "
     "~bvactive",
     ""},
};

struct Group {
  std::string_view name, words;
};

constexpr Group kGroups[] = {
    {"orientation", "quat axisangle xyaxes zaxis euler"},
    {"tree", "body geom site frame replicate attach !camera !light !plugin !composite !flexcomp"},
    {"equality_base", "name class active ?solref ?solimp"},
    {"tendon_base",
     "name class ~group limited actuatorfrclimited range actuatorfrcrange ?solreflimit "
     "?solimplimit ?solreffriction ?solimpfriction frictionloss springlength margin stiffness "
     "damping armature ~user"},
    {"actuator_base", "name class group !nsample !interp !delay ctrlrange ~user"},
    {"actuator_dynamics", "~^lengthrange gear !damping !armature cranklength"},
    {"transmission", "^joint ^jointinparent ^tendon ^slidersite ^cranksite ^site ^refsite"},
    {"actuators",
     "general motor position velocity intvelocity damper cylinder muscle adhesion orientation pid "
     "dcmotor"},
    {"sensor_base", "name ~nsample ~interp ~delay ~interval cutoff noise ~user"},
    {"sensors",
     "touch:site_sensor accelerometer:site_sensor velocimeter:site_sensor gyro:site_sensor "
     "force:site_sensor torque:site_sensor magnetometer:site_sensor camprojection rangefinder "
     "jointpos:joint_sensor jointvel:joint_sensor jointactuatorfrc:joint_sensor "
     "ballquat:joint_sensor ballangvel:joint_sensor jointlimitpos:joint_sensor "
     "jointlimitvel:joint_sensor jointlimitfrc:joint_sensor tendonpos:tendon_sensor "
     "tendonvel:tendon_sensor tendonactuatorfrc:tendon_sensor tendonlimitpos:tendon_sensor "
     "tendonlimitvel:tendon_sensor tendonlimitfrc:tendon_sensor actuatorpos:actuator_sensor "
     "actuatorvel:actuator_sensor actuatorfrc:actuator_sensor framepos:frame_sensor "
     "framequat:frame_sensor framexaxis:frame_sensor frameyaxis:frame_sensor "
     "framezaxis:frame_sensor framelinvel:frame_sensor frameangvel:frame_sensor "
     "framelinacc:frame_sensor frameangacc:frame_sensor subtreecom:body_sensor "
     "subtreelinvel:body_sensor subtreeangmom:body_sensor insidesite distance:distance_sensor "
     "normal:distance_sensor fromto:distance_sensor contact:contact_sensor "
     "e_potential:world_sensor e_kinetic:world_sensor clock:world_sensor tactile user:user_sensor "
     "plugin:plugin_sensor"},
};

}  // namespace

std::span<const SchemaRow> schema_table() { return kTable; }

std::string_view schema_group(std::string_view name) {
  for (const Group& g : kGroups)
    if (g.name == name) return g.words;
  assert(false && "a group that the table names must be there");
  return {};
}

}  // namespace abut
