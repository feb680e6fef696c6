// DART in the race of forward dynamics.
//
// DART does not read MJCF, so its skeletons are built from the flat model (scene.h), one a
// tree. Two things are put differently there, neither of which costs time:
//
// - A free joint's velocity is the twist in body axes, (omega, R^T v), so q, v and tau are
//   converted before and the acceleration after the clock runs.
// - There is no armature, but joint damping is implicit: a coefficient b adds h b to the
//   diagonal of M and -b v to the force. With b = armature / h, and b v added to tau, the
//   equations are those with armature.
#include <dart/config.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/DegreeOfFreedom.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <pugixml.hpp>

#include <sstream>

#include "participant.h"

namespace {

using namespace dart::dynamics;

constexpr double kStep = 1e-3;  // s; any will do

template <int N>
Eigen::Matrix<double, N, 1> numbers(const pugi::xml_node& node, const char* name) {
  Eigen::Matrix<double, N, 1> out = Eigen::Matrix<double, N, 1>::Zero();
  std::istringstream in(node.attribute(name).value());
  for (int i = 0; i < N; ++i) in >> out[i];
  return out;
}

Eigen::Isometry3d pose(const pugi::xml_node& node) {
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  X.translation() = numbers<3>(node, "pos");
  if (node.attribute("quat")) {
    const Eigen::Vector4d q = numbers<4>(node, "quat");
    X.linear() = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  }
  return X;
}

BodyNode::Properties mass_of(const pugi::xml_node& inertial) {
  const Eigen::Matrix<double, 6, 1> I = numbers<6>(inertial, "fullinertia");
  Inertia inertia(inertial.attribute("mass").as_double(), numbers<3>(inertial, "pos"));
  inertia.setMoment(I[0], I[1], I[2], I[3], I[4], I[5]);
  BodyNode::Properties properties;
  properties.mInertia = inertia;
  return properties;
}

// Adds a body with its joint and all below it.
void build(Skeleton& skeleton, BodyNode* parent, const pugi::xml_node& body) {
  const pugi::xml_node joint = body.child("joint");
  if (joint.next_sibling("joint")) throw std::runtime_error("several joints on a body");
  const std::string type = joint ? joint.attribute("type").value() : "weld";
  Joint::Properties frame("joint" + std::to_string(skeleton.getNumBodyNodes()));
  Eigen::Isometry3d X_BJ = Eigen::Isometry3d::Identity();
  if (type != "free") {
    X_BJ.translation() = numbers<3>(joint, "pos");
    frame.mT_ParentBodyToJoint = pose(body) * X_BJ;
    frame.mT_ChildBodyToJoint = X_BJ;
  }
  BodyNode::Properties properties = mass_of(body.child("inertial"));
  properties.mName = "body" + std::to_string(skeleton.getNumBodyNodes());
  BodyNode* node = nullptr;
  if (type == "free") {
    FreeJoint::Properties p;
    static_cast<Joint::Properties&>(p) = frame;
    node = skeleton.createJointAndBodyNodePair<FreeJoint>(parent, p, properties).second;
  } else if (type == "hinge") {
    RevoluteJoint::Properties p;
    static_cast<Joint::Properties&>(p) = frame;
    p.mAxis = numbers<3>(joint, "axis");
    p.mDampingCoefficients[0] = joint.attribute("armature").as_double() / kStep;
    node = skeleton.createJointAndBodyNodePair<RevoluteJoint>(parent, p, properties).second;
  } else if (type == "weld") {
    WeldJoint::Properties p;
    static_cast<Joint::Properties&>(p) = frame;
    node = skeleton.createJointAndBodyNodePair<WeldJoint>(parent, p, properties).second;
  } else {
    throw std::runtime_error("DART's part of the race has no " + type + " joints");
  }
  for (const pugi::xml_node& child : body.children("body")) build(skeleton, node, child);
}

// q, v and tau of one skeleton at one state, in DART's coordinates.
struct Coordinates {
  Eigen::VectorXd q, v, tau;
  Eigen::VectorXd tau_damped;  // with b v, which the damper takes away again
};

class Dart : public Participant {
 public:
  std::string engine() const override { return "DART " DART_VERSION; }
  std::vector<std::string> methods() const override { return {"mass-matrix", "articulated"}; }

  void load(const std::string& flat, const std::string&, std::vector<Sample> samples) override {
    samples_ = std::move(samples);
    skeletons_.clear();
    pugi::xml_document document;
    if (!document.load_file(flat.c_str())) throw std::runtime_error(flat + ": can't be read");
    const pugi::xml_node root = document.child("mujoco");
    const Eigen::Vector3d gravity = numbers<3>(root.child("option"), "gravity");
    for (const pugi::xml_node& body : root.child("worldbody").children("body")) {
      SkeletonPtr skeleton = Skeleton::create();
      skeleton->setGravity(gravity);
      skeleton->setTimeStep(kStep);
      build(*skeleton, nullptr, body);
      skeletons_.push_back(skeleton);
    }
    coordinates_.clear();
    for (const Sample& sample : samples_) coordinates_.push_back(convert(sample));
  }

  void evaluate(int method, int state) override {
    const std::vector<Coordinates>& coordinates = coordinates_[static_cast<std::size_t>(state)];
    for (std::size_t s = 0; s < skeletons_.size(); ++s) {
      Skeleton& skeleton = *skeletons_[s];
      const Coordinates& at = coordinates[s];
      skeleton.setPositions(at.q);
      skeleton.setVelocities(at.v);
      if (method == 0) {
        // "augmented": with what implicit damping adds to the diagonal
        factor_.compute(skeleton.getAugMassMatrix());
        force_ = at.tau - skeleton.getCoriolisAndGravityForces();
        skeleton.setAccelerations(factor_.solve(force_));
      } else {
        skeleton.setForces(at.tau_damped);
        skeleton.computeForwardDynamics();
      }
    }
  }

  std::vector<double> acceleration(int state) const override {
    std::vector<double> out;
    for (std::size_t s = 0; s < skeletons_.size(); ++s) {
      const Skeleton& skeleton = *skeletons_[s];
      Eigen::VectorXd a = skeleton.getAccelerations();
      if (is_free(skeleton)) {
        const Eigen::VectorXd v = coordinates_[static_cast<std::size_t>(state)][s].v;
        const Eigen::Matrix3d R = skeleton.getJoint(0)->getRelativeTransform().linear();
        const Eigen::Vector3d alpha = a.head<3>(), rate = a.segment<3>(3);
        const Eigen::Vector3d omega = v.head<3>(), linear = v.segment<3>(3);
        a.head<3>() = R * (rate + omega.cross(linear));
        a.segment<3>(3) = alpha;
      }
      out.insert(out.end(), a.data(), a.data() + a.size());
    }
    return out;
  }

 private:
  static bool is_free(const Skeleton& skeleton) {
    return dynamic_cast<const FreeJoint*>(skeleton.getJoint(0)) != nullptr;
  }

  std::vector<Coordinates> convert(const Sample& sample) const {
    std::vector<Coordinates> out;
    const double *q = sample.q.data(), *v = sample.v.data(), *tau = sample.tau.data();
    for (const SkeletonPtr& skeleton : skeletons_) {
      const Eigen::Index n = static_cast<Eigen::Index>(skeleton->getNumDofs());
      Coordinates at{Eigen::VectorXd(n), Eigen::VectorXd(n), Eigen::VectorXd(n), {}};
      Eigen::Index i = 0;
      if (is_free(*skeleton)) {
        Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
        X.translation() << q[0], q[1], q[2];
        X.linear() = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).normalized().toRotationMatrix();
        const Eigen::Matrix3d Rt = X.linear().transpose();
        at.q.head<6>() = FreeJoint::convertToPositions(X);
        at.v.head<3>() << v[3], v[4], v[5];
        at.v.segment<3>(3) = Rt * Eigen::Vector3d(v[0], v[1], v[2]);
        at.tau.head<3>() << tau[3], tau[4], tau[5];
        at.tau.segment<3>(3) = Rt * Eigen::Vector3d(tau[0], tau[1], tau[2]);
        q += 7;
        v += 6;
        tau += 6;
        i = 6;
      }
      for (; i < n; ++i) {
        at.q[i] = *q++;
        at.v[i] = *v++;
        at.tau[i] = *tau++;
      }
      at.tau_damped = at.tau;
      for (i = 0; i < n; ++i)
        at.tau_damped[i] +=
            skeleton->getDof(static_cast<std::size_t>(i))->getDampingCoefficient() * at.v[i];
      out.push_back(std::move(at));
    }
    return out;
  }

  std::vector<Sample> samples_;
  std::vector<SkeletonPtr> skeletons_;
  std::vector<std::vector<Coordinates>> coordinates_;  // by state, by skeleton
  Eigen::VectorXd force_;
  Eigen::LDLT<Eigen::MatrixXd> factor_;
};

}  // namespace

int main() {
  Dart dart;
  return serve(dart);
}
