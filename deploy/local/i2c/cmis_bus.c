// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// I2C buses for a kernel without I2C hardware: the module at address 0x50 of bus N is module N of an emulated node,
// which is asked over TCP (docs/reference/emulator.md, "CMIS").
#include <linux/i2c.h>
#include <linux/in.h>
#include <linux/inet.h>
#include <linux/module.h>
#include <linux/net.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#define MOST_BUSES 16
#define MOST_BYTES 255
#define MODULE_ADDRESS 0x50

static char *host = "10.0.2.2";
module_param(host, charp, 0);
static int port;
module_param(port, int, 0);
static int buses = 2;
module_param(buses, int, 0);
static int nack = EREMOTEIO;
module_param(nack, int, 0644);
MODULE_PARM_DESC(nack, "what the bus says of a module that does not acknowledge; drivers of buses differ");

struct bus {
	struct i2c_adapter adapter;
	struct socket *socket;
	u8 module;
	u8 offset;
};
static struct bus all[MOST_BUSES];

static void hang_up(struct bus *bus)
{
	if (bus->socket)
		sock_release(bus->socket);
	bus->socket = NULL;
}

static int call(struct bus *bus)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = in_aton(host)
	};

	if (bus->socket)
		return 0;
	if (sock_create_kern(&init_net, AF_INET, SOCK_STREAM, IPPROTO_TCP, &bus->socket)) {
		bus->socket = NULL;
		return -ENXIO;
	}
	return kernel_connect(bus->socket, (struct sockaddr *)&to, sizeof(to), 0);
}

static int hear(struct bus *bus, void *bytes, size_t length)
{
	struct kvec to = { .iov_base = bytes, .iov_len = length };
	struct msghdr head = {};

	return kernel_recvmsg(bus->socket, &head, &to, 1, length, MSG_WAITALL) == length ? 0 : -ENXIO;
}

static int ask(struct bus *bus, u8 *question, size_t length, u8 *bytes, size_t wanted)
{
	struct kvec from = { .iov_base = question, .iov_len = length };
	struct msghdr head = {};
	u8 refused;

	if (call(bus) || kernel_sendmsg(bus->socket, &head, &from, 1, length) != length || hear(bus, &refused, 1) ||
	    (!refused && wanted && hear(bus, bytes, wanted))) {
		hang_up(bus);
		return -ENXIO;
	}
	return refused ? -nack : 0;
}

static int one(struct bus *bus, struct i2c_msg *message)
{
	u8 question[3 + MOST_BYTES + 1] = { bus->module };

	if (message->addr != MODULE_ADDRESS || !message->len || message->len > MOST_BYTES)
		return -ENXIO;
	if (message->flags & I2C_M_RD) {
		question[1] = 'R';
		question[2] = bus->offset;
		question[3] = message->len;
		return ask(bus, question, 4, message->buf, message->len);
	}
	bus->offset = message->buf[0];
	if (message->len == 1)
		return 0;
	question[1] = 'W';
	question[2] = bus->offset;
	question[3] = message->len - 1;
	memcpy(question + 4, message->buf + 1, message->len - 1);
	return ask(bus, question, 3 + message->len, NULL, 0);
}

// the kernel gives a bus one transaction at a time
static int transact(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	int i, failed = 0;

	for (i = 0; i < count && !failed; i++)
		failed = one(i2c_get_adapdata(adapter), &messages[i]);
	return failed ? failed : count;
}

static u32 functions(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = { .master_xfer = transact, .functionality = functions };

static void end(void)
{
	for (int i = 0; i < MOST_BUSES; i++) {
		if (all[i].adapter.algo)
			i2c_del_adapter(&all[i].adapter);
		hang_up(&all[i]);
	}
}

static int __init begin(void)
{
	for (int i = 0; i < min(buses, MOST_BUSES); i++) {
		int failed;

		all[i].module = i;
		all[i].adapter.owner = THIS_MODULE;
		all[i].adapter.algo = &algorithm;
		snprintf(all[i].adapter.name, sizeof(all[i].adapter.name), "module %d", i);
		i2c_set_adapdata(&all[i].adapter, &all[i]);
		failed = i2c_add_adapter(&all[i].adapter);
		if (failed) {
			all[i].adapter.algo = NULL;
			end();
			return failed;
		}
	}
	return 0;
}

module_init(begin);
module_exit(end);
MODULE_DESCRIPTION("I2C buses of an emulated node");
MODULE_LICENSE("GPL");
