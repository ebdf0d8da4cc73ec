// Command gpus is a device plugin: it tells the kubelet of this machine that there are GPUs, as many as its argument says.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	plugin "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

const socket = "lightpath-gpus.sock"

type gpus struct {
	plugin.UnimplementedDevicePluginServer
	count int
}

func (g gpus) GetDevicePluginOptions(context.Context, *plugin.Empty) (*plugin.DevicePluginOptions, error) {
	return &plugin.DevicePluginOptions{}, nil
}

func (g gpus) ListAndWatch(_ *plugin.Empty, stream plugin.DevicePlugin_ListAndWatchServer) error {
	devices := &plugin.ListAndWatchResponse{}
	for index := range g.count {
		devices.Devices = append(devices.Devices, &plugin.Device{ID: fmt.Sprintf("gpu-%d", index), Health: plugin.Healthy})
	}
	if err := stream.Send(devices); err != nil {
		return err
	}
	<-stream.Context().Done()
	return nil
}

func (g gpus) Allocate(_ context.Context, wanted *plugin.AllocateRequest) (*plugin.AllocateResponse, error) {
	given := &plugin.AllocateResponse{}
	for range wanted.ContainerRequests {
		given.ContainerResponses = append(given.ContainerResponses, &plugin.ContainerAllocateResponse{})
	}
	return given, nil
}

func main() {
	count, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fail(err)
	}
	for {
		if err := serve(count); err != nil {
			fmt.Fprintln(os.Stderr, "gpus:", err)
		}
		time.Sleep(time.Second)
	}
}

// serve answers one life of the kubelet, which empties the folder of sockets when it starts.
func serve(count int) error {
	path := filepath.Join(plugin.DevicePluginPath, socket)
	if _, err := os.Stat(plugin.KubeletSocket); err != nil {
		return err
	}
	_ = os.Remove(path)
	listener, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	plugin.RegisterDevicePluginServer(server, gpus{count: count})
	go server.Serve(listener)
	defer server.Stop()
	kubelet, err := grpc.NewClient("unix://"+plugin.KubeletSocket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer kubelet.Close()
	_, err = plugin.NewRegistrationClient(kubelet).Register(context.Background(), &plugin.RegisterRequest{
		Version: plugin.Version, Endpoint: socket, ResourceName: "nvidia.com/gpu",
	})
	if err != nil {
		return err
	}
	for {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("the kubelet started again: %w", err)
		}
		time.Sleep(time.Second)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "gpus:", err)
	os.Exit(2)
}
