// SPDX-License-Identifier: Apache-2.0
//
// Presents an additional hidraw device to programs that use libfido2 or python-fido2: the security key behind the Unix socket of
// `passkey authenticator --unix PATH --hid`. Preloaded (LD_PRELOAD), it implements the few libudev calls with which libfido2
// enumerates devices, adds a fake device node to the list of /dev, and transfers the node's reports over the socket. Every
// open of the node is a new connection, so closing it removes the key.
//
//   cc -shared -fPIC -o hidraw_socket.so hidraw_socket.c -ldl
//   PASSKEY_HID_SOCKET=PATH LD_PRELOAD=./hidraw_socket.so fido2-token -L
//
// PASSKEY_HID_ID, such as 20a0:42b1, sets the vendor and product for programs that only use keys of their manufacturer.
//
// A frame on the socket is its length (4 bytes, big-endian), the type 50 and a report of 64 bytes.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/hidraw.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#define NODE_FOLDER "/dev"
#define NODE_NAME "hidraw-passkey"
#define NODE NODE_FOLDER "/" NODE_NAME
#define SYSTEM_PATH "/sys/class/hidraw/hidraw-passkey"
#define NAME "passkey authenticator"
#define REPORT_SIZE 64
#define REPORT_FRAME 0x50
#define FRAME_SIZE (4 + 1 + REPORT_SIZE)
#define MOST_DESCRIPTORS 1024

// The descriptors that are connections to the socket.
static unsigned char is_connection[MOST_DESCRIPTORS];

// Usage page F1D0, usage 1, one input and one output report of 64 bytes (CTAP 2.3 §11.2.8.1).
static const unsigned char descriptor[] = {
  0x06, 0xd0, 0xf1, 0x09, 0x01, 0xa1, 0x01, 0x09, 0x20, 0x15, 0x00, 0x26, 0xff, 0x00, 0x75, 0x08, 0x95,
  0x40, 0x81, 0x02, 0x09, 0x21, 0x15, 0x00, 0x26, 0xff, 0x00, 0x75, 0x08, 0x95, 0x40, 0x91, 0x02, 0xc0,
};

static void read_identity(unsigned *vendor, unsigned *product) {
  const char *text = getenv("PASSKEY_HID_ID");
  *vendor = 0x1209;
  *product = 0xf1d0;
  if (text != NULL) sscanf(text, "%x:%x", vendor, product);
}

static int ours(int number) {
  return number >= 0 && number < MOST_DESCRIPTORS && is_connection[number];
}

#define NEXT(name) ((__typeof__(&name))next_symbol(#name))

static void *next_symbol(const char *name) {
  void *symbol = dlsym(RTLD_NEXT, name);
  if (symbol == NULL) abort();
  return symbol;
}

// MARK: The device node

static int plug_in(void) {
  const char *path = getenv("PASSKEY_HID_SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (path == NULL || strlen(path) >= sizeof address.sun_path) {
    errno = ENODEV;
    return -1;
  }
  strcpy(address.sun_path, path);
  int number = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (number < 0) return -1;
  if (number >= MOST_DESCRIPTORS || connect(number, (struct sockaddr *)&address, sizeof address) != 0) {
    NEXT(close)(number);
    errno = ENODEV;
    return -1;
  }
  is_connection[number] = 1;
  return number;
}

static int open_any(const char *name, const char *path, int flags, mode_t mode) {
  if (strcmp(path, NODE) == 0) return plug_in();
  int (*next)(const char *, int, ...) = next_symbol(name);
  return next(path, flags, mode);
}

static mode_t mode_argument(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_argument(flags, arguments);
  va_end(arguments);
  return open_any("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_argument(flags, arguments);
  va_end(arguments);
  return open_any("open64", path, flags, mode);
}

int close(int number) {
  if (ours(number)) is_connection[number] = 0;
  return NEXT(close)(number);
}

// A character device, as libfido2 requires.
int fstat(int number, struct stat *status) {
  int result = NEXT(fstat)(number, status);
  if (result == 0 && ours(number)) {
    status->st_mode = S_IFCHR | 0600;
    status->st_rdev = makedev(240, 0);
  }
  return result;
}

int ioctl(int number, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  if (!ours(number)) return NEXT(ioctl)(number, request, argument);
  if (request == HIDIOCGRDESCSIZE) {
    *(int *)argument = sizeof descriptor;
    return 0;
  }
  if (request == HIDIOCGRDESC) {
    struct hidraw_report_descriptor *answer = argument;
    answer->size = sizeof descriptor;
    memcpy(answer->value, descriptor, sizeof descriptor);
    return 0;
  }
  if (request == HIDIOCGRAWINFO) {
    struct hidraw_devinfo *answer = argument;
    unsigned vendor, product;
    read_identity(&vendor, &product);
    *answer = (struct hidraw_devinfo){.bustype = 3, .vendor = (int16_t)vendor, .product = (int16_t)product};
    return 0;
  }
  if (_IOC_TYPE(request) == 'H' && _IOC_NR(request) == _IOC_NR(HIDIOCGRAWNAME(0)) && _IOC_SIZE(request) >= sizeof NAME) {
    memcpy(argument, NAME, sizeof NAME);
    return sizeof NAME;
  }
  errno = EINVAL;
  return -1;
}

// Reads one report per call. Always reads a whole frame, so that poll on the descriptor reports the next one.
static ssize_t read_report(int number, void *bytes, size_t count) {
  unsigned char frame[FRAME_SIZE];
  for (size_t have = 0; have < sizeof frame;) {
    ssize_t more = NEXT(read)(number, frame + have, sizeof frame - have);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) {
      errno = EIO;
      return -1;
    }
    have += (size_t)more;
  }
  if (frame[4] != REPORT_FRAME || count < REPORT_SIZE) {
    errno = EIO;
    return -1;
  }
  memcpy(bytes, frame + 5, REPORT_SIZE);
  return REPORT_SIZE;
}

ssize_t read(int number, void *bytes, size_t count) {
  return ours(number) ? read_report(number, bytes, count) : NEXT(read)(number, bytes, count);
}

ssize_t __read_chk(int number, void *bytes, size_t count, size_t room) {
  if (count > room) abort();
  return read(number, bytes, count);
}

// The program writes the report number, zero, and the report.
ssize_t write(int number, const void *bytes, size_t count) {
  if (!ours(number)) return NEXT(write)(number, bytes, count);
  if (count != REPORT_SIZE + 1) {
    errno = EINVAL;
    return -1;
  }
  unsigned char frame[FRAME_SIZE] = {0, 0, 0, 1 + REPORT_SIZE, REPORT_FRAME};
  memcpy(frame + 5, (const unsigned char *)bytes + 1, REPORT_SIZE);
  for (size_t sent = 0; sent < sizeof frame;) {
    ssize_t more = send(number, frame + sent, sizeof frame - sent, MSG_NOSIGNAL);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return -1;
    sent += (size_t)more;
  }
  return (ssize_t)count;
}

// MARK: The list of /dev

static DIR *listing;

DIR *opendir(const char *path) {
  DIR *folder = NEXT(opendir)(path);
  if (folder != NULL && getenv("PASSKEY_HID_SOCKET") != NULL && strcmp(path, NODE_FOLDER) == 0) listing = folder;
  return folder;
}

// The fake node comes last.
struct dirent64 *readdir64(DIR *folder) {
  static struct dirent64 entry = {.d_ino = 1, .d_reclen = sizeof entry, .d_type = DT_CHR, .d_name = NODE_NAME};
  struct dirent64 *next = NEXT(readdir64)(folder);
  if (next != NULL || folder != listing) return next;
  listing = NULL;
  return &entry;
}

// MARK: The libudev functions that libfido2 calls. One object represents every type.

struct udev;
struct udev_enumerate;
struct udev_list_entry;
struct udev_device;

static char object;

struct udev *udev_new(void) { return (struct udev *)&object; }
struct udev *udev_unref(struct udev *udev) { (void)udev; return NULL; }

struct udev_enumerate *udev_enumerate_new(struct udev *udev) {
  (void)udev;
  return (struct udev_enumerate *)&object;
}
struct udev_enumerate *udev_enumerate_unref(struct udev_enumerate *list) { (void)list; return NULL; }
int udev_enumerate_add_match_subsystem(struct udev_enumerate *list, const char *name) {
  (void)list, (void)name;
  return 0;
}
int udev_enumerate_scan_devices(struct udev_enumerate *list) { (void)list; return 0; }
struct udev_list_entry *udev_enumerate_get_list_entry(struct udev_enumerate *list) {
  (void)list;
  return getenv("PASSKEY_HID_SOCKET") == NULL ? NULL : (struct udev_list_entry *)&object;
}
struct udev_list_entry *udev_list_entry_get_next(struct udev_list_entry *entry) { (void)entry; return NULL; }
const char *udev_list_entry_get_name(struct udev_list_entry *entry) { (void)entry; return SYSTEM_PATH; }

struct udev_device *udev_device_new_from_syspath(struct udev *udev, const char *path) {
  (void)udev;
  return strcmp(path, SYSTEM_PATH) == 0 ? (struct udev_device *)&object : NULL;
}
struct udev_device *udev_device_unref(struct udev_device *device) { (void)device; return NULL; }
struct udev_device *udev_device_get_parent_with_subsystem_devtype(
  struct udev_device *device, const char *subsystem, const char *type
) {
  (void)subsystem, (void)type;
  return device;
}
const char *udev_device_get_devnode(struct udev_device *device) { (void)device; return NODE; }
const char *udev_device_get_sysnum(struct udev_device *device) { (void)device; return "0"; }
const char *udev_device_get_sysattr_value(struct udev_device *device, const char *name) {
  static char event[128];
  unsigned vendor, product;
  (void)device;
  if (strcmp(name, "uevent") == 0) {
    read_identity(&vendor, &product);
    snprintf(event, sizeof event, "HID_ID=0003:%08X:%08X\nHID_NAME=" NAME "\nHID_UNIQ=1\n", vendor, product);
    return event;
  }
  if (strcmp(name, "manufacturer") == 0) return "passkey";
  if (strcmp(name, "product") == 0) return "authenticator";
  return NULL;
}
