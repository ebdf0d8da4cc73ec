@NullMarked
package dev.lightpath.app.objects;

import org.jspecify.annotations.NullMarked;
