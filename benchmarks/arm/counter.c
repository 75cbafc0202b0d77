// A plugin for qemu-user (7.0 or newer) that counts the instructions of a program. Each time that
// the program calls getppid, which is what it does for this alone, the number so far is printed.

#include <stdio.h>

#include <qemu-plugin.h>

enum { GETPPID = 173 }; // on aarch64

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

static uint64_t executed;

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    qemu_plugin_register_vcpu_tb_exec_inline(
        block, QEMU_PLUGIN_INLINE_ADD_U64, &executed, qemu_plugin_tb_n_insns(block));
}

static void called(qemu_plugin_id_t id, unsigned int cpu, int64_t number, uint64_t a, uint64_t b,
                   uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h)
{
    if (number == GETPPID)
        fprintf(stderr, "executed %llu\n", (unsigned long long)executed);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info,
                                           int count, char **words)
{
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    return 0;
}
