"""The files of deploy/ and the Dockerfile: valid, consistent with each other, and with the installed Streamlit."""

import base64
import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import streamlit

from tests.e2e.server_processes import Server, running
from tests.skipping import skip_or_fail

PROJECT = Path(__file__).parents[2]
DEPLOY = PROJECT / "deploy"
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
DOCKERFILE = (PROJECT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
NGINX = (DEPLOY / "nginx.conf").read_text("utf-8")
PROCESSES = (DEPLOY / "containers/processes.conf").read_text("utf-8")
PATCH_VERSION = re.compile(r"[\w/.-]+:\d+\.\d+\.\d+[\w.-]*")


def needed(name: str):
    """Import a library of the test requirements; without it the test skips, or fails in CI."""
    try:
        return __import__(name)
    except ImportError:
        skip_or_fail(f"{name} is not installed: the manifests are not validated.")


def documents(path: Path) -> list[dict]:
    return list(needed("yaml").safe_load_all(path.read_text("utf-8")))


def manifests(kind: str) -> dict[str, dict]:
    found = [document for path in MANIFESTS for document in documents(path) if document["kind"] == kind]
    return {document["metadata"]["name"]: document for document in found}


def compose() -> dict:
    (document,) = documents(DEPLOY / "compose.yaml")
    return document


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


def test_policy_allows_the_inline_script_of_streamlit_and_no_other():
    page = (Path(streamlit.__file__).parent / "static/index.html").read_text("utf-8")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode() for script in scripts]
    (policy,) = re.findall(r'Content-Security-Policy "(.*?)" always;', NGINX)
    scripts_allowed = re.search(r"script-src ([^;]*);", policy)[1].split()
    assert scripts_allowed == ["'self'", "'wasm-unsafe-eval'", *(f"'sha256-{digest}'" for digest in hashes)]


def test_headers_are_added_at_one_level_and_to_every_status():
    added = re.findall(r"^( +)add_header (.*);", NGINX, re.MULTILINE)
    assert {len(indent) for indent, _ in added} == {8}
    assert all(rest.endswith(" always") for _, rest in added)


def test_the_processes_of_containers_and_of_one_machine_differ_in_their_hosts_only():
    here = (DEPLOY / "processes.conf").read_text("utf-8")
    assert servers_of(here) == [("127.0.0.1", "8501"), ("127.0.0.1", "8502")]
    assert servers_of(PROCESSES) == [("lab-1", "8501"), ("lab-2", "8502")]
    assert re.sub(r"lab-\d", "127.0.0.1", PROCESSES).splitlines()[1:] == here.splitlines()[1:]


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.stem)
def test_manifest_is_valid_and_contains_nothing_unknown(path):
    validator = needed("kubernetes_validate")
    for document in documents(path):
        validator.validate(document, "1.33", strict=True)


def test_kustomize_renders_the_manifests_with_the_same_nginx_conf():
    if not shutil.which("kubectl"):
        pytest.skip("kubectl is not installed: the manifests are not rendered.")
    rendered = subprocess.run(["kubectl", "kustomize", str(DEPLOY)], capture_output=True, text=True, check=True).stdout
    validator = needed("kubernetes_validate")
    found = {}
    for document in needed("yaml").safe_load_all(rendered):
        validator.validate(document, "1.33", strict=True)
        found[document["kind"], document["metadata"]["name"]] = document
    configuration = found["Deployment", "nginx"]["spec"]["template"]["spec"]["volumes"][0]["configMap"]["name"]
    assert found["ConfigMap", configuration]["data"]["nginx.conf"] == NGINX
    assert found["ConfigMap", configuration]["data"]["processes.conf"] == PROCESSES


def test_kustomization_names_every_file_that_nginx_reads():
    (kustomization,) = documents(DEPLOY / "kustomization.yaml")
    assert [DEPLOY / name for name in kustomization["resources"]] == MANIFESTS
    (generated,) = kustomization["configMapGenerator"]
    pages = re.findall(r"/(\w+\.html);", NGINX)
    assert sorted(Path(name).name for name in generated["files"]) == sorted(
        ["nginx.conf", "processes.conf", *set(pages)]
    )
    assert all((DEPLOY / name).is_file() for name in generated["files"])
    volumes = manifests("Deployment")["nginx"]["spec"]["template"]["spec"]["volumes"]
    assert {"configMap": {"name": generated["name"]}}.items() <= volumes[0].items()


def test_services_lead_to_the_pods_that_nginx_names():
    app, services = manifests("StatefulSet")["lab"], manifests("Service")
    pods = [f"lab-{app['spec']['ordinals']['start'] + number}" for number in range(app["spec"]["replicas"])]
    named = servers_of(PROCESSES)
    assert [host for host, _ in named] == pods
    for host, port in named:
        assert services[host]["spec"]["selector"] == {"statefulset.kubernetes.io/pod-name": host}
        assert services[host]["spec"]["ports"] == [{"name": "http", "port": int(port), "targetPort": "http"}]
    assert services[app["spec"]["serviceName"]]["spec"]["clusterIP"] == "None"
    labels = app["spec"]["template"]["metadata"]["labels"]
    assert app["spec"]["selector"]["matchLabels"] == labels
    assert manifests("PodDisruptionBudget")["lab"]["spec"]["selector"]["matchLabels"] == labels
    policies = manifests("NetworkPolicy")
    assert policies["lab"]["spec"]["podSelector"]["matchLabels"] == labels
    front = manifests("Deployment")["nginx"]["spec"]["template"]
    assert front["metadata"]["labels"] == policies["nginx"]["spec"]["podSelector"]["matchLabels"]
    assert front["metadata"]["labels"] == services["nginx"]["spec"]["selector"]
    assert policies["lab"]["spec"]["ingress"][0]["from"] == [
        {"podSelector": {"matchLabels": front["metadata"]["labels"]}}
    ]
    (port,) = front["spec"]["containers"][0]["ports"]
    assert f"listen {port['containerPort']};" in NGINX


def test_image_and_pod_use_the_same_port_user_and_folders():
    pod = manifests("StatefulSet")["lab"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    (port,) = instructions("EXPOSE")
    environment = image_environment()
    assert port == environment["STREAMLIT_SERVER_PORT"] == str(container["ports"][0]["containerPort"])
    assert environment["STREAMLIT_SERVER_ADDRESS"] == "0.0.0.0"
    security = pod["securityContext"]
    assert instructions("USER") == [f"{security['runAsUser']}:{security['runAsGroup']}"]
    mounts = [mount["mountPath"] for mount in container["volumeMounts"]]
    for name in ("HOME", "EMBEDDING_LAB_CACHE", "TIKTOKEN_CACHE_DIR"):
        assert any(Path(environment[name]).is_relative_to(mount) for mount in mounts)


def test_compose_has_the_processes_that_nginx_names():
    services = compose()["services"]
    named = servers_of(PROCESSES)
    assert [*services] == [*(host for host, _ in named), "nginx"]
    addresses = {host: services[host]["networks"]["inside"]["ipv4_address"] for host, _ in named}
    assert services["nginx"]["extra_hosts"] == [f"{host}:{address}" for host, address in addresses.items()]
    assert {host: services[host]["environment"]["STREAMLIT_SERVER_PORT"] for host, _ in named} == dict(named)
    (published,) = services["nginx"]["ports"]
    assert f"listen {published.partition(':')[2]};" in NGINX
    mounted = dict(volume.removesuffix(":ro").split(":") for volume in services["nginx"]["volumes"])
    assert all((DEPLOY / source).is_file() for source in mounted)
    assert {Path(target).name for target in mounted.values()} == {Path(source).name for source in mounted}


def test_containers_have_no_privileges_and_bounded_memory():
    for service in compose()["services"].values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["mem_limit"]
        assert not {"privileged", "cap_add", "network_mode", "pid"} & service.keys()
    for owner in (manifests("StatefulSet")["lab"], manifests("Deployment")["nginx"]):
        pod = owner["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        for container in pod["containers"]:
            security = container["securityContext"]
            assert security["readOnlyRootFilesystem"] is True
            assert security["allowPrivilegeEscalation"] is False
            assert security["capabilities"] == {"drop": ["ALL"]}
            assert container["resources"]["limits"]["memory"]


def test_every_image_is_named_with_its_patch_version():
    front = manifests("Deployment")["nginx"]["spec"]["template"]["spec"]["containers"][0]["image"]
    (kustomization,) = documents(DEPLOY / "kustomization.yaml")
    (app,) = kustomization["images"]
    (container,) = manifests("StatefulSet")["lab"]["spec"]["template"]["spec"]["containers"]
    assert container["image"] == app["name"]
    services = compose()["services"]
    assert services["nginx"]["image"] == front
    images = [*instructions("FROM"), front, f"{app['newName']}:{app['newTag']}"]
    images += [service["image"] for service in services.values()]
    assert [image for image in images if not PATCH_VERSION.fullmatch(image)] == []


def test_docker_compose_accepts_the_file():
    if (
        subprocess.run(["docker", "compose", "version"], capture_output=True).returncode
        if shutil.which("docker")
        else 1
    ):
        pytest.skip("docker compose is not installed: compose.yaml is checked by the other tests alone.")
    subprocess.run(["docker", "compose", "-f", str(DEPLOY / "compose.yaml"), "config", "--quiet"], check=True)


def test_all_that_the_image_copies_is_there_and_not_ignored():
    wanted = [line.removeprefix("!") for line in (PROJECT / ".dockerignore").read_text().splitlines() if line[0] == "!"]
    copied = [source for line in instructions("COPY") for source in line.split()[:-1]]
    assert sorted(wanted) == sorted(copied)
    assert [source for source in copied if not (PROJECT / source).exists()] == []


def copy_as_the_image_does(folder: Path) -> Path:
    """Follow the COPY instructions of the Dockerfile, with `folder` as its working directory."""
    for line in instructions("COPY"):
        *sources, target = line.split()
        for source in sources:
            if (PROJECT / source).is_dir():
                shutil.copytree(PROJECT / source, folder / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                (folder / target).mkdir(parents=True, exist_ok=True)
                shutil.copy(PROJECT / source, folder / target)
    return folder


def test_what_the_image_copies_is_enough_to_start_and_its_health_check_passes(tmp_path):
    folder = copy_as_the_image_does(tmp_path / "app")
    home = tmp_path / "home"
    home.mkdir()
    (command,) = (json.loads(line) for line in instructions("CMD"))
    server = Server([sys.executable, "-m", *command], folder=folder)
    server.env = image_environment() | {"STREAMLIT_SERVER_PORT": str(server.port), "HOME": str(home)}
    check = json.loads(instructions("HEALTHCHECK")[0].partition("CMD ")[2])[2]
    with running(server):
        subprocess.run([sys.executable, "-c", check], env=server.env, check=True)
