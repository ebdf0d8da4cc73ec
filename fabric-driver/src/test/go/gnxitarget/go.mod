module example.com/gnxitarget

go 1.26

tool github.com/openconfig/ygot/generator

require (
	github.com/onosproject/gnxi-simulators v0.6.5
	github.com/openconfig/gnmi v0.0.0-20200617225440-d2b4e6a45802
	github.com/openconfig/goyang v0.0.0-20200803193518-78bac27bdff1
	github.com/openconfig/ygot v0.8.3
	google.golang.org/grpc v1.81.1
)

require (
	github.com/golang/glog v1.2.5 // indirect
	github.com/golang/protobuf v1.5.4 // indirect
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/kylelemons/godebug v1.1.0 // indirect
	golang.org/x/net v0.51.0 // indirect
	golang.org/x/sys v0.42.0 // indirect
	golang.org/x/text v0.34.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260226221140-a57be14db171 // indirect
	google.golang.org/protobuf v1.36.11 // indirect
)
