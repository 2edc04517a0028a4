"""The files of deploy/ and the Dockerfile: valid, consistent with each other, and with the installed Streamlit."""

import base64
import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import kubernetes_validate
import streamlit
import yaml
from sqlalchemy import make_url

from components.rooms.schema import URL_VARIABLE
from tests.e2e.server_processes import ROOT, free_port, running_server

DEPLOY = ROOT / "deploy"
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
NGINX = (DEPLOY / "nginx.conf").read_text("utf-8")
PROCESSES = (DEPLOY / "containers/processes.conf").read_text("utf-8")


def documents(path: Path) -> list[dict]:
    return [*yaml.safe_load_all(path.read_text("utf-8"))]


DOCUMENTS = [document for path in MANIFESTS for document in documents(path)]


def manifest(kind: str, name: str) -> dict:
    return next(each for each in DOCUMENTS if (each["kind"], each["metadata"]["name"]) == (kind, name))


APP, FRONT, ROOMS = (
    manifest(*each)["spec"]["template"]
    for each in (("StatefulSet", "lab"), ("Deployment", "nginx"), ("Deployment", "rooms"))
)
COMPOSE = documents(DEPLOY / "compose.yaml")[0]["services"]


def instructions(name: str) -> list[str]:
    return re.findall(rf"^{name}\s+(.*)$", DOCKERFILE, re.MULTILINE)


def image_environment() -> dict[str, str]:
    return dict(pair.split("=", 1) for line in instructions("ENV") for pair in line.split())


def servers_of(processes: str) -> list[tuple[str, str]]:
    """Return host and port of every process; each is named alone, and once more for newcomers."""
    alone = re.findall(r"^upstream process_(\d+) +\{ server ([\w.-]+):(\d+); \}$", processes, re.MULTILINE)
    shared = re.findall(r"^    server ([\w.-]+):(\d+) max_fails=1", processes, re.MULTILINE)
    assert [(host, port) for name, host, port in alone if name == port] == shared
    return shared


def test_policy_allows_no_inline_script_but_that_of_streamlit():
    page = (Path(streamlit.__file__).parent / "static/index.html").read_text("utf-8")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode() for script in scripts]
    (policy,) = re.findall(r'Content-Security-Policy "(.*?)" always;', NGINX)
    allowed = re.search(r"script-src ([^;]*);", policy)[1].split()
    assert allowed == ["'self'", "blob:", "'wasm-unsafe-eval'", *(f"'sha256-{digest}'" for digest in hashes)]


def test_container_and_machine_processes_differ_only_in_hosts():
    here = (DEPLOY / "processes.conf").read_text("utf-8")
    assert servers_of(PROCESSES) == [("lab-1", "8501"), ("lab-2", "8502")]
    assert re.sub(r"lab-\d", "127.0.0.1", PROCESSES).splitlines()[1:] == here.splitlines()[1:]


def test_manifests_are_valid_and_contain_nothing_unknown():
    for document in DOCUMENTS:
        kubernetes_validate.validate(document, "1.33", strict=True)


def test_kustomization_names_every_file_that_nginx_reads():
    (kustomization,) = documents(DEPLOY / "kustomization.yaml")
    assert [DEPLOY / name for name in kustomization["resources"]] == MANIFESTS
    (generated,) = kustomization["configMapGenerator"]
    read = {"nginx.conf", "processes.conf", *re.findall(r"/(\w+\.html);", NGINX)}
    assert sorted(Path(name).name for name in generated["files"]) == sorted(read)
    assert all((DEPLOY / name).is_file() for name in generated["files"])
    assert FRONT["spec"]["volumes"][0]["configMap"]["name"] == generated["name"]


def test_services_lead_to_the_pods_that_nginx_names():
    app = manifest("StatefulSet", "lab")["spec"]
    named = servers_of(PROCESSES)
    assert [host for host, _ in named] == [f"lab-{app['ordinals']['start'] + n}" for n in range(app["replicas"])]
    for host, port in named:
        service = manifest("Service", host)["spec"]
        assert service["selector"] == {"statefulset.kubernetes.io/pod-name": host}
        assert service["ports"] == [{"name": "http", "port": int(port), "targetPort": "http"}]
    assert manifest("Service", app["serviceName"])["spec"]["clusterIP"] == "None"
    labels, front = app["template"]["metadata"]["labels"], FRONT["metadata"]["labels"]
    allowed = manifest("NetworkPolicy", "lab")["spec"]
    selectors = [app["selector"], manifest("PodDisruptionBudget", "lab")["spec"]["selector"], allowed["podSelector"]]
    assert [selector["matchLabels"] for selector in selectors] == [labels] * 3
    assert allowed["ingress"][0]["from"] == [{"podSelector": {"matchLabels": front}}]
    assert manifest("NetworkPolicy", "nginx")["spec"]["podSelector"]["matchLabels"] == front
    assert manifest("Service", "nginx")["spec"]["selector"] == front
    (port,) = FRONT["spec"]["containers"][0]["ports"]
    assert f"listen {port['containerPort']};" in NGINX


def test_image_and_pod_use_the_same_port_user_and_folders():
    pod, environment = APP["spec"], image_environment()
    (container,) = pod["containers"]
    port = str(container["ports"][0]["containerPort"])
    assert [port] == instructions("EXPOSE") == [environment["STREAMLIT_SERVER_PORT"]]
    assert environment["STREAMLIT_SERVER_ADDRESS"] == "0.0.0.0"
    assert instructions("USER") == ["{runAsUser}:{runAsGroup}".format(**pod["securityContext"])]
    mounts = [mount["mountPath"] for mount in container["volumeMounts"]]
    for name in ("HOME", "EMBEDDING_LAB_CACHE", "TIKTOKEN_CACHE_DIR"):
        assert any(Path(environment[name]).is_relative_to(mount) for mount in mounts)


def test_compose_has_the_processes_that_nginx_names():
    services, named = COMPOSE, servers_of(PROCESSES)
    assert [*services] == [*(host for host, _ in named), "rooms", "nginx"]
    addresses = {host: services[host]["networks"]["inside"]["ipv4_address"] for host, _ in named}
    assert services["nginx"]["extra_hosts"] == [f"{host}:{address}" for host, address in addresses.items()]
    assert {host: services[host]["environment"]["STREAMLIT_SERVER_PORT"] for host, _ in named} == dict(named)
    (published,) = services["nginx"]["ports"]
    assert f"listen {published.partition(':')[2]};" in NGINX
    mounted = dict(volume.removesuffix(":ro").split(":") for volume in services["nginx"]["volumes"])
    for source, target in mounted.items():
        assert (DEPLOY / source).is_file()
        assert Path(target).name == Path(source).name


def test_processes_share_the_rooms_and_nothing_else_reaches_them():
    urls = {COMPOSE[host]["environment"][URL_VARIABLE] for host in ("lab-1", "lab-2")}
    urls |= {each["value"] for each in APP["spec"]["containers"][0]["env"] if each["name"] == URL_VARIABLE}
    (url,) = map(make_url, urls)
    assert (url.host, url.drivername) == ("rooms", "postgresql+psycopg")
    own = {each["name"]: each["value"] for each in ROOMS["spec"]["containers"][0]["env"]}
    assert own == COMPOSE["rooms"]["environment"]
    assert (own["POSTGRES_USER"], own["POSTGRES_DB"]) == (url.username, url.database)
    assert COMPOSE["rooms"]["networks"] == ["rooms"]
    assert "rooms" not in COMPOSE["nginx"]["networks"]
    assert documents(DEPLOY / "compose.yaml")[0]["networks"]["rooms"] == {"internal": True}
    (allowed,) = manifest("NetworkPolicy", "rooms")["spec"]["ingress"]
    assert allowed["from"] == [{"podSelector": {"matchLabels": APP["metadata"]["labels"]}}]
    assert manifest("Service", url.host)["spec"]["selector"] == ROOMS["metadata"]["labels"]


def test_image_starts_with_what_it_copies_and_is_healthy(tmp_path):
    folder, home, port = tmp_path / "app", tmp_path / "home", free_port()
    wanted = [line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines() if line[0] == "!"]
    copied = [(source, line.split()[-1]) for line in instructions("COPY") for source in line.split()[:-1]]
    assert sorted(wanted) == sorted(source for source, _ in copied)
    for source, target in copied:
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, folder / target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (folder / target).mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / source, folder / target)
    home.mkdir()
    (command,) = (json.loads(line) for line in instructions("CMD"))
    env = image_environment() | {"STREAMLIT_SERVER_PORT": str(port), "HOME": str(home)}
    check = json.loads(instructions("HEALTHCHECK")[0].partition("CMD ")[2])[2]
    with running_server([sys.executable, "-m", *command], env=env, folder=folder, port=port):
        subprocess.run([sys.executable, "-c", check], env=env, check=True)
