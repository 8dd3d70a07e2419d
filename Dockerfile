# The web app in a container.   docker build --tag croupier .   Or with PostgreSQL: docker compose up --build
FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src src
RUN python -m venv /opt/croupier
RUN /opt/croupier/bin/pip install --no-cache-dir --constraint constraints.txt ".[web,plots,postgres,solana]"
# Compiled ahead for the processor of this machine; on another kind, kernels are compiled again, into /tmp.
ENV CROUPIER_CACHE=/opt/croupier/cache
RUN /opt/croupier/bin/croupier prepare

FROM python:3.13-slim
RUN useradd --system --uid 10001 --no-create-home --home-dir /nonexistent croupier && install --directory --owner croupier /data
COPY --from=build /opt/croupier /opt/croupier
ENV CROUPIER_CACHE=/opt/croupier/cache CROUPIER_STORE=/data/runs.sqlite PYTHONDONTWRITEBYTECODE=1 PATH=/opt/croupier/bin:$PATH
USER croupier
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/health', timeout=4)"]
CMD ["croupier", "serve", "--host", "0.0.0.0", "--port", "8080", "--folder", "/data/web"]
