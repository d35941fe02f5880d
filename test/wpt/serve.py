"""Lists and serves Web Platform Tests by their own tools: serve.py <folder of the tests> <configuration of wptserve>"""

import os
import sys

if __name__ == "__main__":
    folder, configuration = sys.argv[1:]
    os.chdir(folder)
    sys.path.insert(0, os.path.join(folder, "tools"))
    import localpaths  # noqa: F401 (adds the other tools to the path)
    from manifest import update
    from serve import serve

    sys.argv = ["manifest", "--no-download", "--rebuild", "--no-parallel", "--path", "MANIFEST.json", "--tests-root", "."]
    update.main()
    parser = serve.get_parser()
    serve.run(**vars(parser.parse_args(["--config", configuration])))
