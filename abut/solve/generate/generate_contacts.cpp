// Families of random scenes: contacts without and with friction, joints.
#include <algorithm>

#include "abut/solve/generate/generate_families.h"
#include "abut/solve/generate/generate_scene.h"

namespace abut::family {

namespace {

constexpr double kStep = 0.01;  // h, s

struct SceneContact {
  SceneRow normal, first, second;  // relative velocity of b to a, normal from a to b
  double mu = 0;
  double gap_speed = 0;  // psi / h
};

SceneContact contact(const Scene& scene, int a, int b, const Vec3& point, const Vec3& normal) {
  const Tangents t = tangents(normal);
  return {scene.row(a, b, point, normal), scene.row(a, b, point, t.first),
          scene.row(a, b, point, t.second)};
}

struct ContactScene {
  Scene scene;
  std::vector<SceneContact> contacts;
};

// Places `contacts` anywhere on a few bodies, against the ground or each other. psi >= 0, so that
// rest is feasible: then Stewart and Trinkle's problem has a solution for every mu.
ContactScene random_scene(int contacts, SplitMix& random) {
  ContactScene s;
  const int bodies = contacts <= 8 ? random.integer(1, 3) : (contacts + 2) / 3;
  for (int k = 0; k < bodies; ++k) s.scene.add_body(random.vec(2), -1, 3, 1, random);
  for (int k = 0; k < contacts; ++k) {
    const int b = random.integer(0, bodies - 1);
    int a = random.integer(-1, bodies - 1);
    if (a == b) a = -1;
    const Vec3 point = s.scene.bodies[b].center + random.vec(0.5);
    SceneContact c = contact(s.scene, a, b, point, random.direction());
    c.mu = random.uniform(0, 1.2);
    if (random.chance(2)) c.gap_speed = random.uniform(0, 0.01) / kStep;
    s.contacts.push_back(c);
  }
  return s;
}

int contacts_for(int n, int unknowns_each) {
  return std::max(1, (n + unknowns_each / 2) / unknowns_each);
}

// (normal, tangential, tangential) of each contact, for cones and boxes.
Problem contact_rows(const ContactScene& s) {
  const int k = static_cast<int>(s.contacts.size());
  std::vector<SceneRow> rows;
  for (const SceneContact& c : s.contacts) {
    rows.push_back(c.normal);
    rows.push_back(c.first);
    rows.push_back(c.second);
  }
  Problem p = Problem::lcp(3 * k);
  fill_delassus(s.scene, rows, p.A.rows());
  for (int i = 0; i < 3 * k; ++i) p.b[i] = s.scene.free_velocity(rows[i]);
  for (int i = 0; i < k; ++i) p.b[3 * i] += s.contacts[i].gap_speed;
  return p;
}

// A chain of bodies on spherical joints, its first link anchored, with contacts against the
// ground.
struct Mechanism {
  ContactScene with;
  std::vector<SceneRow> joints;
};

Mechanism random_mechanism(int bodies, int contacts, SplitMix& random) {
  Mechanism m;
  Scene& scene = m.with.scene;
  for (int k = 0; k < bodies; ++k)
    scene.add_body(Vec3(1.0 * k, 0, 0) + random.vec(0.2), -1, 3, 1, random);
  for (int k = 0; k < bodies; ++k) {
    const Vec3 point = scene.bodies[k].center - Vec3(0.5, 0, 0);
    for (int axis = 0; axis < 3; ++axis)
      m.joints.push_back(scene.row(k - 1, k, point, Vec3::Unit(axis)));
  }
  for (int k = 0; k < contacts; ++k) {
    const int b = random.integer(0, bodies - 1);
    const Vec3 point = scene.bodies[b].center + random.vec(0.5);
    SceneContact c = contact(scene, -1, b, point, random.direction());
    c.mu = random.uniform(0, 1.2);
    if (random.chance(2)) c.gap_speed = random.uniform(0, 0.01) / kStep;
    m.with.contacts.push_back(c);
  }
  return m;
}

// Writes J into the rows and -J' into the columns from `at` on: the saddle of Cline and Pai.
void set_saddle(DenseRows& A, int at, const SceneRow& row, double sign) {
  for (int k = 0; k < 6; ++k) {
    if (row.a >= 0) A(at, 6 * row.a + k) = sign * row.Ja[k];
    if (row.b >= 0) A(at, 6 * row.b + k) = sign * row.Jb[k];
    if (row.a >= 0) A(6 * row.a + k, at) = -sign * row.Ja[k];
    if (row.b >= 0) A(6 * row.b + k, at) = -sign * row.Jb[k];
  }
}

// Cline and Pai (7), signs as in C-E1: unknowns (v', lam_e, lam_c, ..), the first two free;
// M v' - Je' lam_e - Jc' lam_c - (M v + h F) = 0, Je v' = 0, 0 <= Jc v' + psi/h perp lam_c >= 0.
// `more` rows are left for friction.
Problem saddle(const Mechanism& m, int more) {
  const int nv = 6 * static_cast<int>(m.with.scene.bodies.size());
  const int ne = static_cast<int>(m.joints.size()), nc = static_cast<int>(m.with.contacts.size());
  Problem p = Problem::lcp(nv + ne + nc + more);
  DenseRows& A = p.A.rows();
  for (int i = 0; i < nv + ne; ++i) p.set_free(i);
  for (int i = 0; i < nv; ++i) {
    const SceneBody& body = m.with.scene.bodies[i / 6];
    A(i, i) = 1 / body.inverse_inertia[i % 6];
    p.b[i] = -A(i, i) * body.velocity[i % 6];
  }
  for (int i = 0; i < ne; ++i) set_saddle(A, nv + i, m.joints[i], 1);
  for (int i = 0; i < nc; ++i) {
    set_saddle(A, nv + ne + i, m.with.contacts[i].normal, 1);
    p.b[nv + ne + i] = m.with.contacts[i].gap_speed;
  }
  return p;
}

}  // namespace

// Contacts on the bottom faces of a few bodies in a column: the rank is 3 per body, whatever their
// number.
Problem semidefinite(int n, SplitMix& random, VectorX&) {
  ContactScene s;
  const int bodies = std::min(random.integer(1, 4), n);
  const Vec3 up = random.direction();
  const Tangents t = tangents(up);
  for (int k = 0; k < bodies; ++k) s.scene.add_body((k + 0.5) * up, -1, 3, 1, random);
  std::vector<SceneRow> rows;
  for (int i = 0; i < n; ++i) {
    const int b = i % bodies;
    const double x = random.uniform(-0.5, 0.5), y = random.uniform(-0.5, 0.5);
    rows.push_back(s.scene.row(b - 1, b, 1.0 * b * up + x * t.first + y * t.second, up));
  }
  Problem p = Problem::lcp(n);
  fill_delassus(s.scene, rows, p.A.rows());
  for (int i = 0; i < n; ++i) p.b[i] = s.scene.free_velocity(rows[i]);
  return p;
}

// Stewart and Trinkle with four directions a contact: z = (c_n, c_f, gamma),
//   w_n = Gn v' + psi/h,  w_f = Gf v' + E gamma,  w_gamma = mu c_n - E' c_f.
Problem friction(int n, SplitMix& random, VectorX&) {
  const int k = contacts_for(n, 6);
  const ContactScene s = random_scene(k, random);
  const Problem rows = contact_rows(s);
  Problem p = Problem::lcp(6 * k);
  DenseRows& A = p.A.rows();
  const DenseRows& D = rows.A.rows();
  // the unknown of a row of `rows`, and its opposite
  const auto normal = [](int i) { return i; };
  const auto direction = [k](int i, int d) { return k + 4 * i + d; };
  constexpr double sign[4] = {1, 1, -1, -1};
  for (int i = 0; i < k; ++i) {
    p.b[normal(i)] = rows.b[3 * i];
    for (int d = 0; d < 4; ++d) {
      p.b[direction(i, d)] = sign[d] * rows.b[3 * i + 1 + d % 2];
      A(direction(i, d), 5 * k + i) = 1;
      A(5 * k + i, direction(i, d)) = -1;
    }
    A(5 * k + i, normal(i)) = s.contacts[i].mu;
    for (int j = 0; j < k; ++j) {
      A(normal(i), normal(j)) = D(3 * i, 3 * j);
      for (int d = 0; d < 4; ++d) {
        A(normal(i), direction(j, d)) = sign[d] * D(3 * i, 3 * j + 1 + d % 2);
        A(direction(j, d), normal(i)) = sign[d] * D(3 * j + 1 + d % 2, 3 * i);
        for (int e = 0; e < 4; ++e)
          A(direction(i, d), direction(j, e)) =
              sign[d] * sign[e] * D(3 * i + 1 + d % 2, 3 * j + 1 + e % 2);
      }
    }
  }
  return p;
}

// The same scenes, each tangential row bound by mu times its normal force.
Problem boxed_friction(int n, SplitMix& random, VectorX&) {
  const ContactScene s = random_scene(contacts_for(n, 3), random);
  Problem p = contact_rows(s);
  for (int i = 0; i < p.size(); ++i)
    if (i % 3 != 0) p.set_bound_by(i, i - i % 3, s.contacts[i / 3].mu);
  return p;
}

// The same scenes, with Coulomb's round cone.
Problem cones(int n, SplitMix& random, VectorX&) {
  const ContactScene s = random_scene(contacts_for(n, 3), random);
  Problem p = contact_rows(s);
  for (int i = 0; i < p.size(); i += 3) p.cones.push_back({i, 3, s.contacts[i / 3].mu});
  return p;
}

Problem mixed(int n, SplitMix& random, VectorX&) {
  const int bodies = std::max(1, (n + 6) / 12);
  return saddle(random_mechanism(bodies, 3 * bodies, random), 0);
}

// Velocities eliminated: J M^-1 J' of joints (free rows) and contacts.
Problem mixed_schur(int n, SplitMix& random, VectorX&) {
  const int bodies = std::max(1, (n + 3) / 6);
  const Mechanism m = random_mechanism(bodies, 3 * bodies, random);
  std::vector<SceneRow> rows = m.joints;
  for (const SceneContact& c : m.with.contacts) rows.push_back(c.normal);
  Problem p = Problem::lcp(static_cast<int>(rows.size()));
  fill_delassus(m.with.scene, rows, p.A.rows());
  const int joints = static_cast<int>(m.joints.size());
  for (int i = 0; i < p.size(); ++i) {
    p.b[i] = m.with.scene.free_velocity(rows[i]);
    if (i < joints)
      p.set_free(i);
    else
      p.b[i] += m.with.contacts[i - joints].gap_speed;
  }
  return p;
}

// Cline and Pai (8): the saddle with pyramids of four directions.
Problem mixed_friction(int n, SplitMix& random, VectorX&) {
  const int bodies = std::max(1, (n + 7) / 15);  // a body: 6 + 3 + 6 for one contact
  const int k = bodies;
  const Mechanism m = random_mechanism(bodies, k, random);
  Problem p = saddle(m, 5 * k);
  DenseRows& A = p.A.rows();
  const int normals = p.size() - 6 * k, directions = p.size() - 5 * k, gammas = p.size() - k;
  for (int i = 0; i < k; ++i) {
    const SceneContact& c = m.with.contacts[i];
    for (int d = 0; d < 4; ++d) {
      const int at = directions + 4 * i + d;
      set_saddle(A, at, d % 2 == 0 ? c.first : c.second, d < 2 ? 1 : -1);
      A(at, gammas + i) = 1;
      A(gammas + i, at) = -1;
    }
    A(gammas + i, normals + i) = c.mu;
  }
  return p;
}

}  // namespace abut::family
