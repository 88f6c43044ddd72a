// Defaults of the sanitizer in every fuzz target. A small quarantine: each run frees all it has made, and
// fresh pages for the next run would cost half of the time.
extern "C" const char* __asan_default_options() { return "quarantine_size_mb=4"; }
