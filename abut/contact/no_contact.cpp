#include "abut/contact/no_contact.h"

namespace abut {

namespace {

class NoContact final : public ContactModel {
 public:
  using ContactModel::ContactModel;
  bool has_rows() const override { return false; }
  const ContactData& data() const override { return nothing_; }

 private:
  ContactData nothing_;
};

}  // namespace

const ModelInfo& no_contact_info() {
  static const ModelInfo info{
      .name = "none",
      .summary = "no contact: bodies pass through each other",
      .family = ContactFamily::none,
      .stabilize = {"post", "post-pinv", "post-plain", "baumgarte", "baumgarte-acc", "gamma",
                    "none"},
      .integrator = {"euler", "implicit", "explicit", "rk4"},
  };
  return info;
}

std::unique_ptr<ContactModel> make_no_contact(const ContactWorld& world) {
  return std::make_unique<NoContact>(world);
}

}  // namespace abut
