"""The files of deploy/ against what is really served: the manifests are valid, and names, ports and paths agree."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from components.server.limit import DEFAULT, VARIABLE, session_limit
from components.server.sessions import READY
from tests.e2e.server_processes import Server, running
from tests.skipping import skip_or_fail

PROJECT = Path(__file__).parents[2]
MANIFESTS = sorted((PROJECT / "deploy/kubernetes").glob("*.yaml"))
DOCKERFILE = (PROJECT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
NGINX = (PROJECT / "deploy/nginx.conf").read_text("utf-8")


def needed(name: str):
    """Import a library of the test requirements; without it the test skips, or fails in CI."""
    try:
        return __import__(name)
    except ImportError:
        reason = f"{name} is not installed: the manifests are not validated."
        skip_or_fail(reason)


def manifest(name: str) -> dict:
    return needed("yaml").safe_load((PROJECT / f"deploy/kubernetes/{name}.yaml").read_text("utf-8"))


def container() -> dict:
    (only,) = manifest("deployment")["spec"]["template"]["spec"]["containers"]
    return only


def instructions(name: str) -> list[str]:
    return re.findall(rf"^{name}\s+(.*)$", DOCKERFILE, re.MULTILINE)


def image_environment() -> dict[str, str]:
    return dict(pair.split("=", 1) for line in instructions("ENV") for pair in line.split())


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.stem)
def test_a_manifest_is_valid_and_says_nothing_unknown(path):
    validator = needed("kubernetes_validate")
    validator.validate(needed("yaml").safe_load(path.read_text("utf-8")), "1.33", strict=True)


def test_the_manifests_name_one_another_rightly():
    deployment, service, ingress = manifest("deployment"), manifest("service"), manifest("ingress")
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert deployment["spec"]["selector"]["matchLabels"] == labels
    assert service["spec"]["selector"] == labels
    assert manifest("disruption")["spec"]["selector"]["matchLabels"] == labels
    assert manifest("network")["spec"]["podSelector"]["matchLabels"] == labels
    assert manifest("autoscaler")["spec"]["scaleTargetRef"]["name"] == deployment["metadata"]["name"]
    (port,) = service["spec"]["ports"]
    backend = ingress["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"]
    assert backend == {"name": service["metadata"]["name"], "port": {"name": port["name"]}}
    assert port["targetPort"] == container()["ports"][0]["name"]


def test_image_and_pod_use_the_same_port_user_and_variables():
    (port,) = instructions("EXPOSE")
    environment = image_environment()
    assert port == environment["STREAMLIT_SERVER_PORT"] == str(container()["ports"][0]["containerPort"])
    assert f":{port}/_stcore/health" in instructions("HEALTHCHECK")[0]
    security = manifest("deployment")["spec"]["template"]["spec"]["securityContext"]
    assert instructions("USER") == [f"{security['runAsUser']}:{security['runAsGroup']}"]
    set_here = {variable["name"]: variable["value"] for variable in container()["env"]}
    assert {name: environment[name] for name in set_here} == set_here
    assert session_limit(environment[VARIABLE]) == DEFAULT
    mounts = [mount["mountPath"] for mount in container()["volumeMounts"]]
    for name in ("HOME", "EMBEDDING_LAB_CACHE", "TIKTOKEN_CACHE_DIR"):
        assert any(Path(environment[name]).is_relative_to(mount) for mount in mounts)


def test_no_probe_ends_or_hides_a_pod_because_it_is_full():
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container()[probe]["httpGet"]["path"] == "/_stcore/health" != READY


def test_all_that_the_image_copies_is_there_and_not_ignored():
    wanted = [line.removeprefix("!") for line in (PROJECT / ".dockerignore").read_text().splitlines() if line[0] == "!"]
    copied = [source for line in instructions("COPY") for source in line.split()[:-1]]
    assert sorted(wanted) == sorted(copied)
    assert [source for source in copied if not (PROJECT / source).exists()] == []


def copy_as_the_image_does(folder: Path) -> Path:
    """Follow the COPY instructions of the Dockerfile, with `folder` in the place of its working directory."""
    for line in instructions("COPY"):
        *sources, target = line.split()
        for source in sources:
            if (PROJECT / source).is_dir():
                shutil.copytree(PROJECT / source, folder / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                (folder / target).mkdir(parents=True, exist_ok=True)
                shutil.copy(PROJECT / source, folder / target)
    return folder


def test_what_the_image_copies_is_enough_to_start_and_its_health_check_says_so(tmp_path):
    folder = copy_as_the_image_does(tmp_path / "app")
    home = tmp_path / "home"
    home.mkdir()
    (command,) = (json.loads(line) for line in instructions("CMD"))
    server = Server([sys.executable, "-m", *command], folder=folder)
    server.env = image_environment() | {"STREAMLIT_SERVER_PORT": str(server.port), "HOME": str(home)}
    check = json.loads(instructions("HEALTHCHECK")[0].partition("CMD ")[2])[2].replace("8501", str(server.port))
    with running(server):
        subprocess.run([sys.executable, "-c", check], check=True)
        with urlopen(f"{server.address}{READY}", timeout=10) as answer:
            assert answer.read().decode() == f"ready: 0 of {DEFAULT} places taken\n"


def test_nginx_names_every_replica_in_all_five_places():
    ports = sorted(set(re.findall(r"127\.0\.0\.1:(\d+)", NGINX)))
    assert len(ports) == 3
    for port in ports:
        assert NGINX.count(f"127.0.0.1:{port}") == 3
        assert f"127\\.0\\.0\\.1:{port}$" in NGINX
    assert NGINX.count("(*)") == 6  # and once in the note on top


def test_an_upload_that_streamlit_takes_passes_nginx_and_the_ingress():
    config = (PROJECT / ".streamlit/config.toml").read_text("utf-8")
    largest = int(re.search(r"maxUploadSize = (\d+)", config)[1])
    assert int(re.search(r"client_max_body_size (\d+)m", NGINX)[1]) > largest
    body = manifest("ingress")["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-body-size"]
    assert int(body.removesuffix("m")) > largest
