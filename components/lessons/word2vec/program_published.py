# %% [markdown]
# # Published vectors instead of a training

# %% Your values
url = "https://github.com/RaRe-Technologies/gensim-data/releases/download/glove-wiki-gigaword-50/glove-wiki-gigaword-50.gz"
binary = False  # word2vec's binary format

# %% Libraries
from pathlib import Path
from urllib.request import urlretrieve
from zipfile import ZipFile

from gensim.models import KeyedVectors

# %% Vectors [words, D]
# The file is downloaded once, into the folder of this program.
path = url.rpartition("/")[2]
if not Path(path).exists():
    urlretrieve(url, f"{path}.part")  # a download that is interrupted leaves no file that looks complete
    Path(f"{path}.part").rename(path)
if path.endswith(".zip"):
    with ZipFile(path) as archive:
        path = archive.extract(next(name for name in archive.namelist() if name.endswith(".txt")))
wv = KeyedVectors.load_word2vec_format(path, binary=binary)
wv.fill_norms()
wv.norms[wv.norms == 0] = 1  # a vector of zeros has no direction: its cosine similarities are 0
vectors = wv.vectors  # [words, D]
print("words and D:", *vectors.shape)
