# Embedding Lab in a container: one process of the app, without privileges; it writes only to /tmp and /cache.
FROM python:3.12.14-slim-bookworm

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1

WORKDIR /app
COPY requirements.txt requirements-postgresql.txt constraints.txt ./
RUN pip install -r requirements-postgresql.txt

COPY LICENSE NOTICES app.py ./
COPY .streamlit/config.toml .streamlit/
COPY components components
COPY docs/in-class.md docs/
COPY pages pages

# Compiled once, here, because the running container cannot write beside its files.
RUN python -m compileall -q /app \
    && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin lab \
    && mkdir -p /cache/tiktoken \
    && chown -R 10001:10001 /cache

ENV HOME=/tmp \
    OMP_NUM_THREADS=1 \
    TIKTOKEN_CACHE_DIR=/cache/tiktoken \
    EMBEDDING_LAB_CACHE=/cache \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_PORT=8501

USER 10001:10001
EXPOSE 8501

HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import os; from urllib.request import urlopen; urlopen(f'http://127.0.0.1:{os.environ[\"STREAMLIT_SERVER_PORT\"]}/_stcore/health', timeout=4)"]

CMD ["streamlit", "run", "app.py"]
