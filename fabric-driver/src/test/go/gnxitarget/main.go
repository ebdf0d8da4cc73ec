// A gNMI target that nobody here wrote, as a switch of 16x16 ports: the server of onosproject/gnxi-simulators on code that
// ygot generates from a module with the names of sonic-ocs. It keeps what it is told, and moves nothing. A client names the
// elements that are broken.
package main

import (
	"flag"
	"fmt"
	"log"
	"net"
	"reflect"
	"strings"

	"github.com/onosproject/gnxi-simulators/pkg/gnmi"
	pb "github.com/openconfig/gnmi/proto/gnmi"
	"github.com/openconfig/ygot/ygot"
	"google.golang.org/grpc"

	"example.com/gnxitarget/target/ocs"
)

func ports() string {
	var all []string
	for _, side := range []string{"A", "B"} {
		for number := 1; number <= 16; number++ {
			all = append(all, fmt.Sprintf(`{"simplex_port_id":"%d%s","state":"normal"}`, number, side))
		}
	}
	return `{"sonic-ocs:sonic-ocs":{"OCS_PORT":{"OCS_PORT_LIST":[` + strings.Join(all, ",") + `]}}}`
}

// refused is the hardware's answer to a configuration: nil when it can be so.
func refused(wanted ygot.ValidatedGoStruct) error {
	device := wanted.(*ocs.Device)
	elements := device.GetElements()
	if elements == nil {
		return nil
	}
	circuits := device.GetSonicOcs().GetOCS_CROSS_CONNECT()
	if circuits == nil {
		circuits = &ocs.SonicOcs_SonicOcs_OCS_CROSS_CONNECT{}
	}
	for name, circuit := range circuits.OCS_CROSS_CONNECT_LIST {
		for _, dead := range elements.Dead {
			if *circuit.ASide == dead || *circuit.BSide == dead {
				return fmt.Errorf("%s: the element of port %s does not move", name, dead)
			}
		}
	}
	for _, stuck := range elements.Stuck {
		if circuits.OCS_CROSS_CONNECT_LIST[stuck] == nil {
			return fmt.Errorf("%s: its element does not let go", stuck)
		}
	}
	return nil
}

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "host:port to serve on")
	streams := flag.Bool("streams", false, "tell of changes by subscriptions")
	flag.Parse()
	model := gnmi.NewModel(
		[]*pb.ModelData{{Name: "sonic-ocs", Organization: "test", Version: "2024-11-21"}},
		reflect.TypeOf((*ocs.Device)(nil)), ocs.SchemaTree["Device"], ocs.Unmarshal, ocs.ΛEnum)
	server, err := gnmi.NewServer(model, []byte(ports()), refused)
	if err != nil {
		log.Fatal(err)
	}
	if !*streams {
		// nobody else takes them, and a Set waits until somebody does
		go func() {
			for range server.ConfigUpdate {
			}
		}()
	}
	socket, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	calls := grpc.NewServer()
	pb.RegisterGNMIServer(calls, server)
	fmt.Println("serving on", socket.Addr())
	log.Fatal(calls.Serve(socket))
}
