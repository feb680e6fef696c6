// none: no contacts. Bodies pass through each other; joints and limits hold.
#pragma once

#include <memory>

#include "abut/contact/contact_model.h"
#include "abut/contact/model_info.h"

namespace abut {

const ModelInfo& no_contact_info();
// Also for worlds whose flags turn contacts off.
std::unique_ptr<ContactModel> make_no_contact(const ContactWorld& world);

}  // namespace abut
