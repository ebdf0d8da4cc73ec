# Fabrics of optical switches for up: what hardware there is and how it is described to the operator. Sourced, not run.
# shellcheck shell=bash disable=SC2034

# A PolarFly of order 7: 57 racks, a plane each on 8 any-to-any switches, and a ninth switch as the spare of all.
# A twisted torus of 2x2x4 cubes: 20 cubes, 4 of them spares, on 48 two-sided switches.
# A spine for jobs whose traffic decides: the nodes of a ring in pods of 4, each pod with two ports on each of 8 two-sided switches.
nodes_per_pod=4 ports_per_switch=1 pod_gpus=64
use_spine() { # polarfly|torus|spine [nodes]
  case $1 in
    spine) fabric=spine pod=pod pods=$(($2 / nodes_per_pod)) switches=8 ports_per_switch=2 two_sided=true pod_gpus=$((nodes_per_pod * gpus_per_node))
      pod_ports=$((switches * ports_per_switch)) switch_ports=$((2 * pods * ports_per_switch))
      topology='logical: {}' wiring="striped: {firstIngress: 1, firstEgress: $((switch_ports / 2 + 1)), portsPerPod: $ports_per_switch}" ;;
    polarfly) fabric=polarfly pod=rack pods=57 switches=9 pod_ports=9 switch_ports=57 two_sided=false
      topology='polarFly: {order: 7}' wiring='striped: {firstIngress: 1, portsPerPod: 1}' ;;
    torus) fabric=torus pod=cube pods=20 switches=48 pod_ports=48 switch_ports=64 two_sided=true
      topology='twistedTorus: {cubes: "2x2x4"}' wiring='striped: {firstIngress: 1, firstEgress: 33, portsPerPod: 1}' ;;
  esac
}

spine_scenario() { # emulator-port http-port
  echo "listen: 127.0.0.1:$1"
  echo "http: 127.0.0.1:$2"
  echo 'seed: 1'
  spine_devices
}

spine_devices() {
  local pod_index switch index end port
  echo 'devices:'
  echo "  - {id: $pod-, count: $pods, kind: endpoints, ports: $pod_ports}"
  echo "  - {id: ocs-, count: $switches, kind: switch, ports: $switch_ports, twoSided: $two_sided, preset: mems}"
  echo 'fibres:'
  for ((pod_index = 0; pod_index < pods; pod_index++)); do
    for ((switch = 0; switch < switches; switch++)); do
      for ((index = 0; index < ports_per_switch; index++)); do
        end=$pod-$pod_index/$((switch * ports_per_switch + index + 1)) port=$((pod_index * ports_per_switch + index + 1))
        if [ "$two_sided" = true ]; then
          echo "  - {from: $end, to: ocs-$switch/$port}"
          echo "  - {from: ocs-$switch/$((switch_ports / 2 + port)), to: $end}"
        else
          echo "  - {a: $end, b: ocs-$switch/$port}"
        fi
      done
    done
  done
}

spine_resources() { # driver endpoint
  local index
  cat << YAML
apiVersion: lightpath.dev/v1alpha1
kind: OpticalFabric
metadata:
  name: $fabric
spec:
  ocs:
    gpusPerNode: $gpus_per_node
    topology: {$topology}
    pods:
YAML
  for ((index = 0; index < pods; index++)); do
    echo "      - {name: $pod-$index, index: $index, ports: $pod_ports, gpus: $pod_gpus}"
  done
  for ((index = 0; index < switches; index++)); do
    cat << YAML
---
apiVersion: lightpath.dev/v1alpha1
kind: OpticalSwitch
metadata:
  name: ocs-$index
spec:
  fabric: $fabric
  driver: {endpoint: "$1", deviceId: ocs-$index}
  plane: $index
  wiring:
    $wiring
YAML
  done
}

# The node of a pod stands in for all of its hosts.
spine_node() {
  if [ "$with_ring" = true ]; then
    sed -e "s#^    lightpath.dev/ring: ring-a#&\n    lightpath.dev/pod: $pod-$(($1 / nodes_per_pod))#"
    return
  fi
  sed -e "s#lightpath.dev/ring: ring-a#lightpath.dev/pod: $pod-$1#" -e '/ring-position/d'
}
