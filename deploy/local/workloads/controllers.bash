# The controllers of other workloads that up can start. Sourced, not run.
# shellcheck shell=bash

workload_controllers=(lws trainer training-operator kuberay)

# What each is: its module, the package of its program, the folder of its manifests, its namespace and its service account.
workload_controller() { # name
  case $1 in
    lws) echo sigs.k8s.io/lws sigs.k8s.io/lws/cmd config lws-system lws-controller-manager ;;
    trainer)
      echo github.com/kubeflow/trainer/v2 github.com/kubeflow/trainer/v2/cmd/trainer-controller-manager manifests/base \
        kubeflow-system kubeflow-trainer-controller-manager
      ;;
    training-operator)
      echo github.com/kubeflow/training-operator github.com/kubeflow/training-operator/cmd/training-operator.v1 manifests/base \
        kubeflow training-operator
      ;;
    kuberay) echo github.com/ray-project/kuberay/ray-operator github.com/ray-project/kuberay/ray-operator config ray-system kuberay-operator ;;
  esac
}

# Describes the process of a controller; everything that it needs lies in $state/NAME.
describe_workload_controller() { # name program
  local arguments=() health
  health=127.0.0.1:$(port "$1-health")
  case $1 in
    lws | trainer)
      sed -e "s/@port@/$(port "$1")/; s/@health-port@/$(port "$1-health")/; s#@certificates@#$state/jobset/certificates#" "$here/workloads/$1/manager.yaml" > "$state/$1/manager.yaml"
      arguments=(--config "$state/$1/manager.yaml")
      ;;
    training-operator)
      arguments=(--metrics-bind-address 0 --health-probe-bind-address "$health" --webhook-server-port "$(port "$1")"
        --enable-scheme pytorchjob --enable-scheme mpijob)
      ;;
    kuberay) arguments=(--metrics-addr 0 --health-probe-bind-address "$health" --enable-leader-election=false) ;;
  esac
  # their webhooks read certificates from a folder of the temporary folder
  mkdir -p "$state/$1/tmp/k8s-webhook-server"
  ln -s "$state/jobset/certificates" "$state/$1/tmp/k8s-webhook-server/serving-certs"
  describe "$1" env "KUBECONFIG=$state/$1.kubeconfig" "TMPDIR=$state/$1/tmp" "$2" "${arguments[@]}"
}
