"""What somebody sees for whom there is no place at the moment."""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="{seconds}">
<meta name="color-scheme" content="light dark">
<title>Full for the moment · Embedding Lab</title>
<style>
body {{ margin: 0; min-height: 100vh; display: grid; place-items: center; background: #fff; color: #0e151e;
  font: 1.125rem/1.6 system-ui, sans-serif; }}
main {{ max-width: 34rem; padding: 1.5rem; }}
h1 {{ font-size: 1.75rem; line-height: 1.25; }}
a {{ color: #0067a5; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #12171e; color: #e8edf2; }} a {{ color: #6bc0f2; }} }}
</style>
</head>
<body>
<main>
<h1>Full for the moment</h1>
<p>All places of this Embedding Lab are taken ({limit} of {limit}). This page tries again by itself in {seconds}
seconds, and opens once somebody has left. Your link, and the text in it, stay as they are.</p>
<p><a href="">Try again now</a></p>
</main>
</body>
</html>
"""


def full_page(limit: int, seconds: int) -> str:
    """Return the page that says so, and comes back after so many seconds.

    >>> page = full_page(40, 25)
    >>> "(40 of 40)" in page, 'http-equiv="refresh" content="25"' in page
    (True, True)
    """
    return PAGE.format(limit=limit, seconds=seconds)
