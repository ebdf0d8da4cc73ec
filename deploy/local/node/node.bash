# Real nodes of an environment: their network and their disks. Sourced by environment.bash.
#
# A node n0 is the process node-0: namespaces of its own (network, mounts, processes) with containerd, kubelet and kube-proxy.
# The network namespace lightpath-PORT_BASE holds the cable between the nodes, lightpath-PORT_BASE-0 is node n0's, and one
# interface of the machine, also called lightpath-PORT_BASE, leads to the cable. No packet is forwarded by the machine.
# shellcheck shell=bash

max_real_nodes=6
for ((index = 0; index < max_real_nodes; index++)); do processes+=("node-$index"); done

cable() { echo "lightpath-$port_base"; }
# Of 198.18.0.0/15, which is for tests (RFC 2544): one /24 for the cable, one for the pods of an environment.
lane() { echo $((port_base / port_span % 256)); }
gateway() { echo "198.18.$(lane).1"; }
node_address() { echo "198.18.$(lane).$((10 + $1))"; } # index
node_pods() { echo "198.19.$(lane).$((32 * $1))/27"; } # index: 29 addresses, as many as maxPods in kubelet.yaml
node_folder() { echo "$state/n$1"; } # index: its name is the node's

# In one line what the machine lacks.
refuse_without_real_nodes() {
  local missing
  [ "$(id -u)" = 0 ] || fail "--real-nodes: needs root, for namespaces and mounts"
  missing=$("$here/node/install" --check) || fail "--real-nodes: $missing"
  unshare --net --mount --pid --fork true 2> /dev/null || fail "--real-nodes: this machine allows no network, mount and process namespaces"
  unshare --net sh -c 'ip link add one type bridge && ip link add two type veth' 2> /dev/null ||
    fail "--real-nodes: the kernel of this machine has no bridge or no veth"
  unshare --net nft add table ip one 2> /dev/null || fail "--real-nodes: the kernel of this machine has no nftables"
  case $state in
    /run/* | /var/lib/* | /var/log/*) fail "--real-nodes: $state lies in a folder that a node has of its own; set XDG_STATE_HOME to another" ;;
  esac
  ! ip route get "$(gateway)" 2> /dev/null | grep -qE '^local |dev lightpath-' ||
    fail "--real-nodes: $(gateway) is in use by another environment; choose another --port-base"
}

network_up() { # real nodes
  local count=$1 index other name
  ip netns add "$(cable)"
  ip -n "$(cable)" link set lo up
  ip -n "$(cable)" link add cable type bridge
  ip -n "$(cable)" link set cable up
  ip link add "$(cable)" type veth peer name machine netns "$(cable)"
  ip -n "$(cable)" link set machine master cable up
  ip address add "$(gateway)/24" dev "$(cable)"
  ip link set "$(cable)" up
  for ((index = 0; index < count; index++)); do
    name=$(cable)-$index
    ip netns add "$name"
    ip -n "$name" link add eth0 type veth peer name "n$index" netns "$(cable)"
    ip -n "$(cable)" link set "n$index" master cable up
    ip -n "$name" address add "$(node_address "$index")/24" dev eth0
    ip -n "$name" link set eth0 up
    # addresses of Services, before kube-proxy replaces them
    ip -n "$name" route add 10.0.0.0/16 dev eth0
    for ((other = 0; other < count; other++)); do
      [ "$other" = "$index" ] || ip -n "$name" route add "$(node_pods "$other")" via "$(node_address "$other")"
    done
    ip route add "$(node_pods "$index")" via "$(node_address "$index")"
  done
}

# Takes away what the nodes leave outside their folders: network namespaces, the interface, and their cgroups.
nodes_down() {
  local name cgroup tries=0
  [ "$(id -u)" = 0 ] || return 0
  for name in $(ip netns list 2> /dev/null | awk -v cable="$(cable)" '$1 == cable || index($1, cable "-") == 1 { print $1 }'); do
    ip netns delete "$name"
  done
  if ip link show "$(cable)" > /dev/null 2>&1; then ip link delete "$(cable)"; fi
  # the kernel empties a cgroup a moment after its last process
  while [ "$tries" -lt 50 ]; do
    for cgroup in /sys/fs/cgroup/{,*/}"$(cable)"-[0-9]; do
      [ ! -d "$cgroup" ] || find "$cgroup" -depth -type d -exec rmdir {} + 2> /dev/null || true
    done
    compgen -G "/sys/fs/cgroup/*/$(cable)-[0-9]" > /dev/null || compgen -G "/sys/fs/cgroup/$(cable)-[0-9]" > /dev/null || return 0
    tries=$((tries + 1))
    sleep 0.1
  done
  say "cgroups of the nodes are left: /sys/fs/cgroup/*/$(cable)-*"
}

# The image of the sandbox, and of jobs that only hold their place: one program, nothing else.
write_idle_image() { # program file
  local work layer config
  work=$(mktemp -d "$state/tmp/image.XXXX")
  tar --create --file "$work/layer.tar" --directory "$(dirname "$1")" --owner 0 --group 0 --mode 755 --mtime @0 idle
  layer=$(sha256sum "$work/layer.tar" | cut -d ' ' -f 1)
  printf '{"architecture":"%s","os":"linux","config":{"Entrypoint":["/idle"],"User":"65532:65532"},"rootfs":{"type":"layers","diff_ids":["sha256:%s"]}}' \
    "$(case $(uname -m) in aarch64) echo arm64 ;; *) echo amd64 ;; esac)" "$layer" > "$work/config.json"
  config=$(sha256sum "$work/config.json" | cut -d ' ' -f 1)
  mv "$work/config.json" "$work/$config.json"
  printf '[{"Config":"%s.json","RepoTags":["lightpath-idle:local"],"Layers":["layer.tar"]}]' "$config" > "$work/manifest.json"
  tar --create --file "$2" --directory "$work" manifest.json "$config.json" layer.tar
  rm -rf "$work"
}

describe_node() { # index programs gpus: its disk and settings
  local index=$1 programs=$2 folder each snapshotter=native
  folder=$(node_folder "$index")
  ! grep -qw overlay /proc/filesystems || snapshotter=overlayfs
  mkdir -p "$folder"/{disk/volumes/{0,1},cni}
  chown 65532:65532 "$folder"/disk/volumes/*
  node_address "$index" > "$folder/address"
  write_idle_image "$programs/idle" "$folder/idle.tar"
  cp "$state/kubelet-$index.kubeconfig" "$folder/kubelet.kubeconfig"
  for each in containerd.toml kubelet.yaml kube-proxy.yaml pods.conflist; do
    sed -e "s#@state@#$state#; s#@folder@#$folder#; s#@snapshotter@#$snapshotter#; s#@cgroup@#/$(cable)-$index#; s#@name@#n$index#" \
      -e "s#@address@#$(node_address "$index")#; s#@pods@#$(node_pods "$index")#; s#@all-pods@#198.19.$(lane).0/24#" \
      "$here/node/$each" > "$folder/$each"
  done
  mv "$folder/pods.conflist" "$folder/cni/"
  describe "node-$index" nsenter "--net=/run/netns/$(cable)-$index" unshare --mount --pid --fork --kill-child --propagation slave \
    bash "$here/node/boot" "$folder" "$programs" "$gpus_per_node" "$(cable)-$index"
}

# Runs a command on a node.
on_node() { # index command...
  local first
  first=$(cat "/proc/$(cat "$state/node-$1.pid")/task/"*/children | cut -d ' ' -f 1)
  shift
  nsenter --target "$first" --mount --net --pid -- "$@"
}

node_names() { # count
  local index names=()
  for ((index = 0; index < $1; index++)); do names+=("n$index"); done
  echo "${names[*]}"
}
