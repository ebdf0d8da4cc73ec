// Command idle does nothing: until it is asked to end, or for as many seconds as its argument says. It is the sandbox of
// every pod of a local node, and a program for jobs that only hold their place.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

func main() {
	ends := make(chan os.Signal, 1)
	signal.Notify(ends, syscall.SIGINT, syscall.SIGTERM)
	orphans := make(chan os.Signal, 1)
	signal.Notify(orphans, syscall.SIGCHLD)
	var over <-chan time.Time
	if len(os.Args) > 1 {
		seconds, err := strconv.Atoi(os.Args[1])
		if err != nil || seconds < 0 {
			fmt.Fprintf(os.Stderr, "idle: %q: allowed is a number of seconds, 0 or more\n", os.Args[1])
			os.Exit(2)
		}
		over = time.After(time.Duration(seconds) * time.Second)
	}
	fmt.Println("idle")
	for {
		select {
		case <-ends:
			return
		case <-over:
			return
		case <-orphans:
			for pid := 1; pid > 0; {
				pid, _ = syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
			}
		}
	}
}
