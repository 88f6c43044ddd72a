#include "sim/workload/sizes.h"

#include <algorithm>

namespace vlsim {
namespace {

// traffic_gen/WebSearch_distribution.txt of the HPCC simulator, as are the next two.
constexpr SizePoint kWebSearch[] = {{0, 0},
                                    {10000, 150000},
                                    {20000, 200000},
                                    {30000, 300000},
                                    {50000, 400000},
                                    {80000, 530000},
                                    {200000, 600000},
                                    {1000000, 700000},
                                    {2000000, 800000},
                                    {5000000, 900000},
                                    {10000000, 970000},
                                    {30000000, 1000000}};
constexpr SizePoint kHadoop[] = {{0, 0},           {100, 10000},      {200, 20000},      {300, 50000},
                                 {350, 150000},    {400, 200000},     {500, 300000},     {600, 400000},
                                 {700, 500000},    {1000, 600000},    {2000, 670000},    {7000, 700000},
                                 {30000, 720000},  {50000, 820000},   {80000, 870000},   {120000, 900000},
                                 {300000, 950000}, {1000000, 975000}, {2000000, 990000}, {10000000, 1000000}};
constexpr SizePoint kAliStorage[] = {{0, 0},           {4000, 229300},   {8000, 692100},
                                     {16000, 806100},  {32000, 904700},  {64000, 935300},
                                     {128000, 967700}, {256000, 975300}, {2000000, 1000000}};
// Main points of the GoogleRPC2008 distribution that Homa published.
constexpr SizePoint kGoogleRpc[] = {{0, 0},          {64, 155000},      {128, 352000},      {256, 498000},
                                    {512, 785000},   {1024, 863000},    {4096, 935000},     {8192, 964000},
                                    {65536, 993300}, {1000000, 999750}, {15000000, 1000000}};

}  // namespace

std::optional<SizeDistribution> SizeDistribution::named(std::string_view name) {
  if (name == "web_search") return SizeDistribution(kWebSearch);
  if (name == "hadoop") return SizeDistribution(kHadoop);
  if (name == "ali_storage") return SizeDistribution(kAliStorage);
  if (name == "google_rpc") return SizeDistribution(kGoogleRpc);
  return std::nullopt;
}

uint64_t SizeDistribution::draw(SeededRandom& random) const {
  const uint32_t u = random.below(1'000'000);
  size_t i = 1;
  while (points_[i].ppm <= u) ++i;
  const SizePoint &low = points_[i - 1], &high = points_[i];
  const uint64_t bytes = low.bytes + (high.bytes - low.bytes) * (u - low.ppm) / (high.ppm - low.ppm);
  return std::max<uint64_t>(bytes, 1);
}

uint64_t SizeDistribution::mean() const {
  uint64_t sum = 0;  // bytes x ppm x 2
  for (size_t i = 1; i < points_.size(); ++i)
    sum += (points_[i - 1].bytes + points_[i].bytes) * (points_[i].ppm - points_[i - 1].ppm);
  return sum / 2'000'000;
}

}  // namespace vlsim
