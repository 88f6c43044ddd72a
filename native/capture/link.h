// Link layers: place and length of the IP packet in a frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace vlcapture {

// True if frames of this link-layer type (a DLT_ value of pcap-linktype(7)) can be read.
bool known_link(int dlt) noexcept;

// Offset of the IP header; nothing when the frame holds no IP packet or is too short to tell.
std::optional<size_t> ip_offset(int dlt, std::span<const uint8_t> frame) noexcept;

// Bytes of the IP packet by its own header, so without the padding of short Ethernet frames. Nothing when the
// header is cut, or says 0, as jumbograms do.
std::optional<size_t> ip_length(std::span<const uint8_t> packet) noexcept;

}  // namespace vlcapture
