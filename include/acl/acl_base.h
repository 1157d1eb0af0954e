// Base types.
#ifndef PYATC_ACL_ACL_BASE_H_
#define PYATC_ACL_ACL_BASE_H_

#include "acl/acl_base_mdl.h"
#include "acl/acl_base_rt.h"

#endif
