// Whether the device has what looks at programs: stamps, the misuse report, the feed. All of it is switched
// on at run time. A build with VERBSLAB_DIAGNOSTICS=OFF has none of it; `npm run bench -- diagnostics`
// measures the two side by side, to show what they cost while they are off.
#pragma once

namespace uroce {

#ifdef UROCE_NO_DIAGNOSTICS
inline constexpr bool kDiagnostics = false;
#else
inline constexpr bool kDiagnostics = true;
#endif

}  // namespace uroce
