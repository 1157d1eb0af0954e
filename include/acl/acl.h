// Starting and ending the library; everything that programs run operators with.
#ifndef PYATC_ACL_ACL_H_
#define PYATC_ACL_ACL_H_

#include "acl/acl_base.h"
#include "acl/acl_op.h"
#include "acl/acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_MAJOR_VERSION 1
#define ACL_MINOR_VERSION 15
#define ACL_PATCH_VERSION 0

// Once per process.  configPath: NULL, or a JSON file (docs/aclop-c.md).
ACL_FUNC_VISIBILITY aclError aclInit(const char* configPath);
ACL_FUNC_VISIBILITY aclError aclFinalize(void);
// Of the interface, not of this project.
ACL_FUNC_VISIBILITY aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion,
                                             int32_t* patchVersion);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
