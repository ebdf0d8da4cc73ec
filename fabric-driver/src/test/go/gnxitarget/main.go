// A gNMI target that nobody here wrote, as a switch of 16x16 ports: the server of onosproject/gnxi-simulators on code that
// ygot generates from a module with the names of sonic-ocs. It keeps what it is told, and moves nothing.
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

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "host:port to serve on")
	flag.Parse()
	model := gnmi.NewModel(
		[]*pb.ModelData{{Name: "sonic-ocs", Organization: "test", Version: "2024-11-21"}},
		reflect.TypeOf((*ocs.Device)(nil)), ocs.SchemaTree["Device"], ocs.Unmarshal, ocs.ΛEnum)
	server, err := gnmi.NewServer(model, []byte(ports()), nil)
	if err != nil {
		log.Fatal(err)
	}
	// nobody else takes them, and a Set waits until somebody does
	go func() {
		for range server.ConfigUpdate {
		}
	}()
	socket, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	calls := grpc.NewServer()
	pb.RegisterGNMIServer(calls, server)
	fmt.Println("serving on", socket.Addr())
	log.Fatal(calls.Serve(socket))
}
