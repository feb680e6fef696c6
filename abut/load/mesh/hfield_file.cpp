#include "abut/load/mesh/hfield_file.h"

#include <fmt/format.h>
#include <png.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "abut/load/xml_tree.h"

namespace abut {
namespace {

// libpng reports errors by longjmp: nothing with a destructor may be made in here.
struct PngInput {
  const char* bytes;
  std::size_t size, at;
};

struct PngImage {
  std::vector<unsigned char> pixels;
  std::vector<png_bytep> rows;
  png_uint_32 width = 0, height = 0;
  std::size_t channels = 0;
};

void read_png_bytes(png_structp png, png_bytep out, png_size_t n) {
  auto* in = static_cast<PngInput*>(png_get_io_ptr(png));
  if (in->size - in->at < n) png_error(png, "cut short");
  std::memcpy(out, in->bytes + in->at, n);
  in->at += n;
}

void keep_quiet(png_structp, png_const_charp) {}

bool decode_png(PngInput& input, PngImage& image) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, keep_quiet);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, nullptr);
    return false;
  }
  png_set_user_limits(png, 16384, 16384);
  png_set_read_fn(png, &input, read_png_bytes);
  png_read_info(png, info);
  // eight bits a channel, no alpha, a palette as its colours
  png_set_strip_16(png);
  png_set_palette_to_rgb(png);
  png_set_expand_gray_1_2_4_to_8(png);
  png_set_strip_alpha(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  image.width = png_get_image_width(png, info);
  image.height = png_get_image_height(png, info);
  image.channels = png_get_channels(png, info);
  const std::size_t stride = png_get_rowbytes(png, info);
  image.pixels.resize(stride * image.height);
  image.rows.resize(image.height);
  for (std::size_t r = 0; r < image.height; ++r) image.rows[r] = image.pixels.data() + r * stride;
  png_read_image(png, image.rows.data());
  png_destroy_read_struct(&png, &info, nullptr);
  return true;
}

void read_png(const std::string& bytes, HfieldDesc& hfield, const Source& file) {
  PngInput input{bytes.data(), bytes.size(), 0};
  PngImage image;
  if (!decode_png(input, image)) throw WorldError(file, "not a readable PNG; write it again");
  hfield.cols = static_cast<int>(image.width);
  hfield.rows = static_cast<int>(image.height);
  hfield.elevation.clear();
  hfield.elevation.reserve(image.width * image.height);
  for (std::size_t r = image.height; r-- > 0;)
    for (std::size_t c = 0; c < image.width; ++c)
      hfield.elevation.push_back(image.rows[r][c * image.channels]);
}

// two counts, then rows of floats from the lowest y up
void read_binary(const std::string& bytes, HfieldDesc& hfield, const Source& file) {
  std::array<std::int32_t, 2> n{};
  if (bytes.size() < sizeof n)
    throw WorldError(file, "too short for a height field; write it again");
  std::memcpy(n.data(), bytes.data(), sizeof n);
  const std::uint64_t count = n[0] > 0 && n[1] > 0 ? std::uint64_t(n[0]) * std::uint64_t(n[1]) : 0;
  if (count == 0 || count > kMostElevations || bytes.size() != sizeof n + sizeof(float) * count)
    throw WorldError(file, "its counts do not fit its size; is it a height field (PNG or binary)?");
  hfield.rows = n[0];
  hfield.cols = n[1];
  std::vector<float> values(count);
  std::memcpy(values.data(), bytes.data() + sizeof n, sizeof(float) * count);
  for (float v : values)
    if (!std::isfinite(v)) throw WorldError(file, "an elevation is not a number; repair the file");
  hfield.elevation.assign(values.begin(), values.end());
}

}  // namespace

void read_hfield_file(const std::filesystem::path& path, std::string_view content_type,
                      HfieldDesc& hfield) {
  const std::string bytes = read_bytes(path, hfield.source);
  const Source file{std::make_shared<const std::string>(path.lexically_normal().string()), 0};
  const bool png =
      content_type == "image/png" ||
      (content_type.empty() && (path.extension() == ".png" || path.extension() == ".PNG"));
  (png ? read_png : read_binary)(bytes, hfield, file);
}

}  // namespace abut
