/* owner: prints, for each name, the file of the library that a program gets the function from. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    Dl_info info;
    void* function = dlsym(RTLD_DEFAULT, argv[i]);
    printf("%s %s\n", argv[i], function != NULL && dladdr(function, &info) ? info.dli_fname : "none");
  }
  return 0;
}
