/* Names of a device, and a check that its paths lead to it. */
#include <infiniband/verbs.h>
#include <limits.h>
#include <stdio.h>

int main(void) {
  struct ibv_device **list = ibv_get_device_list(NULL);
  if (list == NULL || list[0] == NULL) return 1;
  const struct ibv_device *d = list[0];
  printf("%s %s %s %s\n", d->name, d->dev_name, d->dev_path, d->ibdev_path);
  char path[PATH_MAX], line[64];
  snprintf(path, sizeof path, "%s/ibdev", d->dev_path);
  FILE *file = fopen(path, "r");
  if (file == NULL || fgets(line, sizeof line, file) == NULL) return 1;
  fputs(line, stdout);
  snprintf(path, sizeof path, "/dev/infiniband/%s", d->dev_name);
  file = fopen(path, "r+");
  return file == NULL;
}
