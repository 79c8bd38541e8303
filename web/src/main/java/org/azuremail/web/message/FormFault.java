package org.azuremail.web.message;

import org.azuremail.reason.Reason;

/** The faults of a form before there is a message to check. */
enum FormFault implements Reason.Code {
    LIST_MISSING
}
