"""One operator: its hooks, its pre-build and its build, and the kernel that it wrote."""

import hashlib
import inspect
import json
import os
import tempfile
from collections.abc import Callable
from typing import Any

from ge._operators import _descriptors
from ge._operators._faults import fault_of, refusal
from ge._operators._modules import Modules

Function = Callable[..., Any]


class RefusedError(Exception):
    """The operator cannot be compiled; the text is the reason."""

    declined = False  # by check_supported: another implementation may be taken


class _DeclinedError(RefusedError):
    declined = True


def build(row: dict[str, Any], modules: Modules) -> dict[str, Any]:
    """Build the kernel of one operator.

    Args:
        row: ``{"type", "node", "soc", "folder", "module", "function", "dynamic", "needs_check",
            "dynamic_format", "combinations", "inputs", "outputs", "attrs", "impl_mode",
            "kernel_meta"}``; ports are ``{"kind", "tensors": [tensor or None]}``.
        modules: That have been imported.

    Returns:
        ``{"kernel", "symbol", "notes"}``, or ``{"fault", "file"}``.
    """
    file = file_of(row)
    try:
        return _Operator(row, modules, file).build()
    except RefusedError as error:
        return {"file": file, "fault": refusal(str(error), declined=error.declined)}
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return {"file": file, "fault": fault_of(error)}


def file_of(row: dict[str, Any]) -> str:
    """Return the path of the implementation."""
    parts = ("dynamic", row["module"]) if row["dynamic"] else (row["module"],)
    return os.path.join(row["folder"], *parts) + ".py"


class _Operator:
    def __init__(self, row: dict[str, Any], modules: Modules, file: str) -> None:
        self._row, self._modules = row, modules
        self._notes: list[dict[str, str]] = []
        name = f"dynamic.{row['module']}" if row["dynamic"] else row["module"]
        if not os.path.isfile(file):
            raise RefusedError(f"there is no file {file}")
        self._module = modules.load(row["folder"], name)

    def build(self) -> dict[str, Any]:
        from ge._shim import context, platform

        platform.set_current_compile_soc_info(self._row["soc"])
        is_unknown = any(dim < 0 for tensor in self._tensors() for dim in tensor["shape"])
        mode = context.PRE_STATIC
        if self._row["dynamic"]:
            mode = context.DYNAMIC if is_unknown else context.STATIC
        with context.OpContext(mode) as found:
            info = context.OpInfo(self._row["node"], self._row["type"])
            found.add_op_info(info)
            function = self._function()
            self._choose_formats()
            inputs, outputs = self._ports("inputs"), self._ports("outputs")
            attrs = [_descriptors.argument(attr) for attr in self._row["attrs"]]
            arguments = [*inputs, *outputs, *attrs]
            info.inputs, info.outputs, info.attrs = inputs, outputs, attrs
            self._check_supported(arguments)
            self._ask("get_op_support_info", arguments)
            self._ask("get_op_specific_info", arguments)
            if is_unknown:
                self._generalize(arguments)
            info.kernel_name = name = self._kernel_name()
            return self._run(found, function, arguments, name)

    def _function(self) -> Function:
        """The implementation: what was registered for the type goes before the module's name."""
        from ge._shim import register

        self._registered = register.get_operator(self._row["type"])
        if self._registered is not None and self._row["dynamic"]:
            registered: Function = self._registered.get_func()
            return registered
        function: Function | None = getattr(self._module, self._row["function"], None)
        if not callable(function):
            raise RefusedError(f"the file has no function [{self._row['function']}]")
        return function

    def _hook(self, name: str) -> Function | None:
        """A hook of the module; the static one where the dynamic one has none."""
        found = getattr(self._module, name, None)
        row = self._row
        if found is None and row["dynamic"] and self._modules.has(row["folder"], row["module"]):
            found = getattr(self._modules.load(row["folder"], row["module"]), name, None)
        return found

    def _ask(self, name: str, arguments: list[Any]) -> Any:
        hook = self._hook(name)
        return None if hook is None else self._call(name, hook, arguments)

    def _call(self, name: str, hook: Function, arguments: list[Any]) -> Any:
        """Call a hook; one that fails counts as one that says no, and is a warning."""
        try:
            return hook(*arguments, **self._mode(hook))
        except Exception as error:
            self._notes.append({"function": name, "reason": fault_of(error)["reason"]})
            return None

    def _check_supported(self, arguments: list[Any]) -> None:
        if not self._row["needs_check"]:
            return
        if self._hook("check_supported") is None:
            raise RefusedError("needCheckSupport is true, but there is no function check_supported")
        answer = self._ask("check_supported", arguments)
        reason = ""
        if isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[1], str):
            answer, reason = answer
        if answer is True or answer == "Unknown":
            return
        if self._notes:
            reason = self._notes[-1]["reason"]
        raise _DeclinedError(f"check_supported says that it is not supported: {reason or answer!r}")

    def _choose_formats(self) -> None:
        """Find the combination of dtypes that the tensors have."""
        if self._row["dynamic_format"]:
            self._take_formats(self._select_formats())
            return
        for combination in self._row["combinations"]:
            if self._matches(combination):
                self._use(combination)
                return
        if self._row["combinations"]:
            self._refuse_dtypes(self._row["combinations"])

    def _select_formats(self) -> dict[str, Any]:
        hook = self._hook("op_select_format")
        if hook is None:
            raise RefusedError("dynamicFormat is true, but there is no function op_select_format")
        attrs = [_descriptors.argument(attr) for attr in self._row["attrs"]]
        text = hook(*self._ports("inputs"), *self._ports("outputs"), *attrs)
        try:
            chosen = json.loads(text)
            for row in chosen.values():
                row["dtype"], row["format"]
        except (TypeError, ValueError, KeyError, AttributeError):
            raise RefusedError(
                f"op_select_format returned {text!r}; accepted is the text of a JSON object with"
                " name, dtype and format of input0, output0 and so on"
            ) from None
        return dict(chosen)

    def _take_formats(self, chosen: dict[str, Any]) -> None:
        words = {
            port: (row["dtype"].split(","), row["format"].split(","))
            for port, row in chosen.items()
        }
        counts = {len(one) for pair in words.values() for one in pair}
        if len(counts) != 1:
            raise RefusedError("op_select_format returned lists of different lengths")
        combinations = []
        for k in range(counts.pop()):
            combinations.append(
                {
                    side: [
                        {
                            "dtype": words[f"{key}{i}"][0][k].strip(),
                            "format": words[f"{key}{i}"][1][k].strip(),
                        }
                        for i in range(len(self._row[side]))
                        if f"{key}{i}" in words
                    ]
                    for side, key in (("inputs", "input"), ("outputs", "output"))
                }
            )
        for combination in combinations:
            if self._matches(combination):
                self._use(combination)
                return
        self._refuse_dtypes(combinations)

    def _matches(self, combination: dict[str, Any]) -> bool:
        for side in ("inputs", "outputs"):
            for port, wanted in zip(self._row[side], combination[side], strict=False):
                for tensor in port["tensors"]:
                    if tensor is None:
                        continue
                    if _dtype(wanted["dtype"]) != tensor["dtype"]:
                        return False
                    if not _is_plain(wanted["format"], tensor["ori_format"]):
                        return False
        return True

    def _use(self, combination: dict[str, Any]) -> None:
        for side in ("inputs", "outputs"):
            for port, wanted in zip(self._row[side], combination[side], strict=False):
                for tensor in port["tensors"]:
                    if tensor is not None and wanted["format"]:
                        tensor["format"] = wanted["format"]

    def _refuse_dtypes(self, combinations: list[dict[str, Any]]) -> None:
        def text(rows: list[dict[str, Any]]) -> str:
            return ", ".join(f"{row['dtype']} {row['format']}".strip() for row in rows)

        seen = ", ".join(f"{x['dtype']} {x['ori_format']}" for x in self._tensors())
        accepted = "; ".join(
            dict.fromkeys(f"{text(c['inputs'])} -> {text(c['outputs'])}" for c in combinations)
        )
        raise RefusedError(
            f"its tensors are {seen}, which is none of the combinations that it lists: {accepted}"
        )

    def _tensors(self) -> list[dict[str, Any]]:
        ports = [*self._row["inputs"], *self._row["outputs"]]
        return [tensor for port in ports for tensor in port["tensors"] if tensor is not None]

    def _ports(self, side: str) -> list[Any]:
        as_int8 = self._registered is None or self._registered.if_trans_bool_to_s8()
        found: list[Any] = []
        for port in self._row[side]:
            rows = [
                None if row is None else _descriptors.describe(row, bool_as_int8=as_int8)
                for row in port["tensors"]
            ]
            found.append(tuple(rows) if port["kind"] == "dynamic" else rows[0] if rows else None)
        return found

    def _mode(self, function: Function) -> dict[str, str]:
        mode = self._row["impl_mode"]
        if not mode:
            return {}
        try:
            takes = "impl_mode" in inspect.signature(function).parameters
        except (TypeError, ValueError):
            return {}
        return {"impl_mode": mode} if takes else {}

    def _generalize(self, arguments: list[Any]) -> None:
        """Ask how wide the ranges of a dynamic operator may be; it may refuse them."""
        from ge._shim import register

        function = register.get_param_generalization(self._row["type"])
        if function is None:
            return
        config = {"mode": "keep_rank", "single_op": "false"}
        answer = self._call("its generalization", function, [*arguments, config])
        rows = answer if isinstance(answer, list) else [answer]
        for row in rows:
            if isinstance(row, dict) and row.get("result") == "UNSUPPORTED":
                raise RefusedError(f"its generalization refuses the ranges: {row.get('reason')}")

    def _kernel_name(self) -> str:
        row = {
            key: self._row[key]
            for key in ("type", "soc", "dynamic", "inputs", "outputs", "attrs", "impl_mode")
        }
        digest = hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()
        return f"te_{self._row['module'].rpartition('.')[2]}_{digest}_1"

    def _run(
        self, found: Any, function: Function, arguments: list[Any], name: str
    ) -> dict[str, Any]:
        mode = self._mode(function)
        found.add_addition("op_prebuild", True)
        function(*arguments, name, **mode)
        found.add_addition("op_prebuild", False)
        with tempfile.TemporaryDirectory(prefix="ge-kernels-") as temporary:
            folder = self._row["kernel_meta"] or temporary
            found.add_addition("kernel_meta_parent_dir", folder)
            function(*arguments, name, **mode)
            path = found.get_build_res("json_file_path")
            path = path or os.path.join(folder, "kernel_meta", f"{name}.json")
            return {**_read_kernel(path), "notes": self._notes}


def _dtype(name: str) -> str:
    return "float32" if name == "float" else name


def _is_plain(wanted: str, tensor: str) -> bool:
    """Whether tensors stay as they are: the host engine has no blocked formats."""
    return wanted in ("", "ND", tensor) or tensor == "ND"


def _read_kernel(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            description = json.load(file)
    except FileNotFoundError:
        raise RefusedError(
            f"it returned, but there is no kernel at {path}: build was not called"
        ) from None
    suffix = description.get("binFileSuffix", ".o")
    with open(
        os.path.join(os.path.dirname(path), description["binFileName"] + suffix), "rb"
    ) as file:
        content = file.read()
    if description.get("sha256") not in (None, hashlib.sha256(content).hexdigest()):
        raise RefusedError(f"the kernel beside {path} is another one than that file describes")
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise RefusedError(f"the kernel beside {path} is no recorded kernel") from None
    return {
        "kernel": text,
        "symbol": description["kernelName"],
    }
