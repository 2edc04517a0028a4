"""A term of the glossary on the screen."""

import streamlit as st

from components.core.glossary import Source, Term
from components.ui.markdown import plain


def draw_term(term: Term) -> None:
    """Draw a term, what it means, and where to read on."""
    where = " · ".join(cited(source) for source in term.sources)
    st.markdown(f"**{plain(term.name)}**: {plain(term.text)}" + (f"  \n:small[{where}]" if where else ""))


def cited(source: Source) -> str:
    """Return a source in short, as a link: a paper by its authors and year, a page of documentation by its title."""
    name = f"{source.authors} ({source.year})" if source.year else source.title
    place = f", {source.where}" if source.where else ""
    return f"[{plain(name)}]({source.url}){plain(place)}"
