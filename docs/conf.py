"""The documentation site: ``make docs`` builds it into build/site. Nothing on it comes from another server."""

import sys
from pathlib import Path

from croupier import __version__

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "Croupier"
author = "The Croupier authors"
version = release = __version__
language = "en"
smartquotes = False  # they would turn --json into –json

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_copybutton",
    "sphinx_design",
    "displayed",
    "public_names",
    "schema_files",
]
exclude_patterns = ["pictures/*.md"]
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence"]
myst_heading_anchors = 4

html_theme = "furo"
html_title = "Croupier"
html_favicon = "static/favicon.svg"
html_logo = "static/favicon.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {
    "sidebar_hide_name": False,
    "light_css_variables": {"color-brand-primary": "#0f6b54", "color-brand-content": "#0f6b54"},
    "dark_css_variables": {"color-brand-primary": "#4fc3a1", "color-brand-content": "#4fc3a1"},
}

autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
numpydoc_show_class_members = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 90
toc_object_entries_show_parents = "hide"

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
