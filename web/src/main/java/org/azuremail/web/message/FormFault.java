package org.azuremail.web.message;

import org.azuremail.reason.Reason;

/** What is wrong with a form before there is a message to check. */
enum FormFault implements Reason.Code {
    LIST_MISSING
}
