// Build switch of the diagnostics: stamps, the misuse report, the feed. All of them are switched on at run
// time. A build with VERBSLAB_DIAGNOSTICS=OFF has none of them; `npm run bench -- diagnostics` measures the
// two side by side, to show what the diagnostics cost while they are off.
#pragma once

namespace uroce {

#ifdef UROCE_NO_DIAGNOSTICS
inline constexpr bool kDiagnostics = false;
#else
inline constexpr bool kDiagnostics = true;
#endif

}  // namespace uroce
