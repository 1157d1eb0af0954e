"""An offline model compiler for Ascend: ``python3 -m ge.pyatc`` is ``atc`` in this process.

Importing ``ge`` chooses the engine (see ``ge._engine``) and adds that engine's folder to the
package, so that the names which CANN's own ``ge`` has too come from one engine only.
"""

from ge import _engine

__path__.append(_engine.current.packages)
