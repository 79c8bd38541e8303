package org.azuremail.copy;

/**
 * The facts that a person vouches for.
 *
 * @param stopped that no process runs on the source, although rows of processes say so
 * @param leaveHidden that items which are still hidden may stay behind
 */
public record CopyOptions(boolean stopped, boolean leaveHidden) {

    public static final CopyOptions NONE = new CopyOptions(false, false);
}
