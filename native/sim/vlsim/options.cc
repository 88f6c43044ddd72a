#include "sim/vlsim/options.h"

#include <charconv>
#include <optional>
#include <string_view>

namespace vlsim {
namespace {

constexpr uint64_t kMostMib = 1 << 20;

// A whole number without anything behind it.
std::optional<uint64_t> number(std::string_view text) {
  uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

}  // namespace

const char kUsage[] =
    "vlsim [OPTION]... [FILE]\n"
    "  Runs the scenario in FILE, or on standard input, and writes lines of JSON: the scenario, its samples, "
    "what each\n"
    "  mechanism did, and the result.\n"
    "  --flows            a line for each flow as well\n"
    "  --progress         a line a few times per second of real time: how far it is\n"
    "  --time             a line with the CPU time and the memory that it took\n"
    "  --schema           prints the JSON Schema of a scenario instead\n"
    "  --pcap FILE        captures what arrives at the hosts\n"
    "  --pcap-at host:N   captures what host N sends and receives instead; may be repeated\n"
    "  --pcap-limit MIB   of the file; 256\n"
    "  --pcap-payload     whole packets: payload, which is zeros, and its ICRC\n";

std::expected<Options, std::string> read_options(int argc, char** argv) {
  Options o;
  bool about_capture = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    const auto value = [&]() -> const char* { return i + 1 < argc ? argv[++i] : nullptr; };
    about_capture |= arg.starts_with("--pcap-");
    if (arg == "--flows") {
      o.flows = true;
    } else if (arg == "--progress") {
      o.progress = true;
    } else if (arg == "--time") {
      o.time = true;
    } else if (arg == "--schema") {
      o.schema = true;
    } else if (arg == "--help") {
      o.help = true;
    } else if (arg == "--pcap") {
      o.pcap = value();
      if (o.pcap == nullptr) return std::unexpected("--pcap needs the name of a file.");
    } else if (arg == "--pcap-at") {
      const char* const text = value();
      const std::string_view at = text == nullptr ? "" : text;
      const auto host = at.starts_with("host:") ? number(at.substr(5)) : std::nullopt;
      if (!host || *host > UINT32_MAX) return std::unexpected("--pcap-at must be host:N, as host:0.");
      o.capture.hosts.push_back(static_cast<uint32_t>(*host));
    } else if (arg == "--pcap-limit") {
      const char* const text = value();
      const auto most = number(text == nullptr ? "" : text);
      if (!most || *most == 0 || *most > kMostMib)
        return std::unexpected("--pcap-limit must be from 1 to " + std::to_string(kMostMib) + " MiB.");
      o.capture.most_bytes = *most << 20;
    } else if (arg == "--pcap-payload") {
      o.capture.payload = true;
    } else if (arg.starts_with("-") && arg != "-") {
      return std::unexpected("There is no option " + std::string(arg) + ".");
    } else if (o.scenario != nullptr) {
      return std::unexpected("Give one scenario.");
    } else {
      o.scenario = arg == "-" ? nullptr : argv[i];
    }
  }
  if (about_capture && o.pcap == nullptr) return std::unexpected("What to capture needs --pcap FILE.");
  return o;
}

}  // namespace vlsim
