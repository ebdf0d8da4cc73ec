// A complete device behind lightpath.device.v1alpha1: a switch of 16 ports, each of which may meet any other.
// The type `mirrors` stands for the hardware; the rest is what every device's program needs.
package main

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	device "example.com/anyswitch/target/gen/lightpath/device/v1alpha1"
	driver "example.com/anyswitch/target/gen/lightpath/driver/v1alpha1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"
)

const (
	ports    = 16
	moveTime = 5 * time.Millisecond
)

// mirrors is the hardware: which ingress leads to which egress. It forgets everything when it loses power.
type mirrors struct {
	mu      sync.Mutex
	egress  map[string]string // by ingress
	changed map[chan struct{}]bool
}

func (m *mirrors) circuits() []*device.Circuit {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []*device.Circuit
	for in, out := range m.egress {
		all = append(all, &device.Circuit{
			Key:   &driver.CircuitKey{Ingress: in, Egress: out},
			State: driver.CircuitState_CIRCUIT_STATE_CONNECTED,
		})
	}
	return all
}

func (m *mirrors) disconnect(key *driver.CircuitKey) *device.MoveAnswer {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.egress[key.Ingress] == key.Egress {
		delete(m.egress, key.Ingress)
	}
	return &device.MoveAnswer{}
}

func (m *mirrors) connect(key *driver.CircuitKey) *device.MoveAnswer {
	m.mu.Lock()
	defer m.mu.Unlock()
	for in, out := range m.egress {
		if in == key.Ingress && out == key.Egress {
			return &device.MoveAnswer{}
		}
		if in == key.Ingress || out == key.Ingress || in == key.Egress || out == key.Egress {
			return &device.MoveAnswer{
				Refused:    driver.ItemReason_ITEM_REASON_PORT_IN_USE,
				NativeText: fmt.Sprintf("port %s or %s is in use by %s->%s", key.Ingress, key.Egress, in, out),
			}
		}
	}
	m.egress[key.Ingress] = key.Egress
	return &device.MoveAnswer{}
}

// tell wakes every stream; one that is already awake needs no second call.
func (m *mirrors) tell() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for stream := range m.changed {
		select {
		case stream <- struct{}{}:
		default:
		}
	}
}

func (m *mirrors) listen(stream chan struct{}, on bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if on {
		m.changed[stream] = true
	} else {
		delete(m.changed, stream)
	}
}

type server struct {
	device.UnimplementedDeviceServiceServer
	id        string
	poweredOn string
	mirrors   *mirrors
}

func (s *server) description() *device.Description {
	d := &device.Description{
		Kind:     driver.DeviceKind_DEVICE_KIND_SWITCH,
		Vendor:   "Example",
		Model:    "any-16",
		Serial:   "E-0001",
		Firmware: "1.0",
		Capabilities: &driver.Capabilities{
			Sidedness:           driver.Sidedness_SIDEDNESS_ONE_SIDED,
			Duplexity:           driver.Duplexity_DUPLEXITY_SIMPLEX,
			MaxBatch:            ports / 2,
			MoveConcurrency:     driver.MoveConcurrency_MOVE_CONCURRENCY_PARALLEL,
			BatchAtomicity:      driver.BatchAtomicity_BATCH_ATOMICITY_NONE,
			BreakBehaviour:      driver.BreakBehaviour_BREAK_BEHAVIOUR_REFUSES,
			ReadBack:            driver.ReadBack_READ_BACK_HARDWARE_STATE,
			TypicalSwitchTime:   durationpb.New(moveTime),
			MaxSwitchTime:       durationpb.New(4 * moveTime),
			OnControlLoss:       driver.CircuitFate_CIRCUIT_FATE_KEPT,
			OnManagementRestart: driver.CircuitFate_CIRCUIT_FATE_LOST,
			OnPowerLoss:         driver.CircuitFate_CIRCUIT_FATE_LOST,
		},
	}
	for i := 1; i <= ports; i++ {
		d.Ports = append(d.Ports, &driver.Port{Name: strconv.Itoa(i), Side: driver.PortSide_PORT_SIDE_BOTH})
	}
	return d
}

func (s *server) Watch(request *device.WatchRequest, stream grpc.ServerStreamingServer[device.WatchResponse]) error {
	changed := make(chan struct{}, 1)
	s.mirrors.listen(changed, true)
	defer s.mirrors.listen(changed, false)
	first := []*device.WatchResponse{
		{DeviceId: s.id, Event: &device.WatchResponse_Description{Description: s.description()}},
		{DeviceId: s.id, Event: &device.WatchResponse_Reading{Reading: &device.Reading{
			PowerOnId: s.poweredOn, Circuits: s.mirrors.circuits()}}},
		{Event: &device.WatchResponse_Synced{Synced: &device.Synced{}}},
	}
	for _, message := range first {
		if err := stream.Send(message); err != nil {
			return err
		}
	}
	heartbeat := time.NewTicker(max(100*time.Millisecond, request.GetHeartbeatInterval().AsDuration()))
	defer heartbeat.Stop()
	for {
		message := &device.WatchResponse{Event: &device.WatchResponse_Heartbeat{Heartbeat: &device.Heartbeat{}}}
		select {
		case <-stream.Context().Done():
			return nil
		case <-changed:
			message = &device.WatchResponse{DeviceId: s.id, Event: &device.WatchResponse_Circuits{
				Circuits: &device.Circuits{Circuits: s.mirrors.circuits()}}}
		case <-heartbeat.C:
		}
		if err := stream.Send(message); err != nil {
			return err
		}
	}
}

func (s *server) known(id string) error {
	if id != s.id {
		return status.Errorf(codes.NotFound, "this program has no device %q; it has %q", id, s.id)
	}
	return nil
}

func (s *server) Read(_ context.Context, request *device.ReadRequest) (*device.ReadResponse, error) {
	return &device.ReadResponse{Circuits: s.mirrors.circuits()}, s.known(request.DeviceId)
}

func (s *server) Move(_ context.Context, request *device.MoveRequest) (*device.MoveResponse, error) {
	if err := s.known(request.DeviceId); err != nil {
		return nil, err
	}
	time.Sleep(moveTime)
	response := &device.MoveResponse{}
	for _, item := range request.Moves {
		if key := item.GetConnect(); key != nil {
			response.Answers = append(response.Answers, s.mirrors.connect(key))
		} else {
			response.Answers = append(response.Answers, s.mirrors.disconnect(item.GetDisconnect()))
		}
	}
	s.mirrors.tell()
	return response, nil
}

func (s *server) Probe(_ context.Context, request *device.ProbeRequest) (*device.ProbeResponse, error) {
	return &device.ProbeResponse{}, s.known(request.DeviceId)
}

// tlsOf lets in only clients whose certificate the CA signed. Without files: plaintext, for a loopback address.
func tlsOf(certificate, key, ca string) (credentials.TransportCredentials, error) {
	if certificate == "" {
		return insecure.NewCredentials(), nil
	}
	mine, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, err
	}
	pem, err := os.ReadFile(ca)
	if err != nil {
		return nil, err
	}
	clients := x509.NewCertPool()
	clients.AppendCertsFromPEM(pem)
	return credentials.NewTLS(&tls.Config{
		Certificates: []tls.Certificate{mine}, ClientCAs: clients, ClientAuth: tls.RequireAndVerifyClientCert}), nil
}

func main() {
	listen := flag.String("listen", "127.0.0.1:9460", "address to serve on")
	id := flag.String("id", "any-1", "name of the device")
	certificate := flag.String("tls-certificate", "", "PEM file; without it plaintext")
	key := flag.String("tls-key", "", "PEM file")
	ca := flag.String("tls-ca", "", "PEM file with the CA of the drivers")
	flag.Parse()
	secure, err := tlsOf(*certificate, *key, *ca)
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	serving := grpc.NewServer(grpc.Creds(secure))
	device.RegisterDeviceServiceServer(serving, &server{
		id:        *id,
		poweredOn: rand.Text(),
		mirrors:   &mirrors{egress: map[string]string{}, changed: map[chan struct{}]bool{}},
	})
	fmt.Println("serving on", listener.Addr())
	log.Fatal(serving.Serve(listener))
}
